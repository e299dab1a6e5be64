import { freshSeconds } from './headers.ts'

/** What the API is, in Markdown, for its description and its reference. */
export const about = {
  title: 'Price Lookup',
  version: '1',
  summary: 'What a contract would see at an on-chain price feed of a tokenized stock on Robinhood Chain.',
  description: `Every price is read from the chain, by calling \`latestDetail()\` and \`latestRoundData()\` of the feed contract.
The service computes nothing off-chain and does not sign its responses.

**It is for inspection only.** A protocol that needs a price must read the feed contract on-chain, and must not rely
on this service.

- **Access**: no key and no account. Every origin may read every response but the gateway's own 413 (see *Ignored*):
  each has \`Access-Control-Allow-Origin: *\`, problems and preflights included. A preflight (\`OPTIONS\`) of a path
  below is answered with 204: it allows \`GET\` with any header but \`Authorization\`, for 10 minutes. Scripts may read
  the headers \`Retry-After\`, \`Date\` and \`Age\` too.
- **HEAD**: a path below is answered like \`GET\`, without a body.
- **Age**: \`readAt\` and \`block\` name the read. A cached response is at most ${freshSeconds} seconds old, plus the time that
  the read took. The block itself may be up to 60 seconds old on the mainnet, and of any age on the testnet, which makes
  no blocks while it is idle. A success has an absolute \`Expires\`. A problem must not be stored.
- **Exact numbers**: \`price\`, \`sharePrice\` and \`multiplier\` are JSON numbers with every digit that the chain holds,
  up to 18 decimals, as in \`1.000566080061092436\`; without exponent and without trailing zeros. A parser that reads
  numbers into doubles rounds them, \`multiplier\` above all: read them as decimals.
- **Problems**: \`application/problem+json\` (RFC 9457). Branch on \`type\` and on the HTTP status; the sentences are for
  people.
- **Any other path or method**: 404, \`urn:problem-type:price-lookup:unknown-route\`. There is no 405.
- **Ignored**: other query parameters, every request header, and a body. There are two exceptions. The pages, this
  document and every preflight refuse a request (415) that announces a body which is not JSON. API Gateway may
  refuse a body of more than about 6 MB with a 413 of its own, which is no problem document and has no CORS header.
- **Links**: every price, list and problem has a \`Link\` to this document and to the reference.
- **Compatibility**: within \`v1\`, fields of the list and of problems, and problems themselves, may be added: a
  client must accept those that it does not know. None is removed, renamed or changes its type or meaning. The record
  keeps exactly its fields, and the seven statuses are all there are.
`,
} as const
