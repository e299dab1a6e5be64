import { feedAuthors } from './feed-authors.ts'
import { freshSeconds } from './headers.ts'
import { networkFacts } from './networks.ts'

const { name: authors, url: authorsUrl, date } = feedAuthors
const { mainnet, testnet } = networkFacts

/** What the service returns, in Markdown. */
export const introduction = `Price Lookup returns, as JSON, what a contract would see at an on-chain price feed of a tokenized stock on Robinhood
Chain. A price feed is a contract that reports the price of one token. Every price is read from the chain, by calling
\`latestDetail()\` and \`latestRoundData()\` of the feed. The service computes no price, and does not sign its responses.

**It is for inspection only.** A protocol that needs a price must read the feed contract on-chain, and must not rely
on this service.`

/** What a caller must know before it uses a price, in Markdown. */
export const essentials = `Use a price only if this is true of its record:

\`\`\`js
servesLatestRoundData && price !== null && chainId === ${mainnet.chain.id} // on the testnet: ${testnet.chain.id}
\`\`\`

- **Whether it is served**: if \`servesLatestRoundData\` is false, a lending market would not have been served this price
  at the block that was read. Show such a price only as one that is not served.
- **Whether there is a price**: \`price\` can be null although the feed serves, because an answer can be rounded down to
  zero, and a feed serves it like any other.
- **Which chain it is of**: \`chainId\` is ${mainnet.chain.id} for the mainnet, and ${testnet.chain.id} for the testnet.
  A misspelt parameter is ignored, and the record is then of the mainnet.
- **A served price can be wrong** by a whole change of the multiplier, such as a split. If a change took effect after
  the observation of the price, and the token then staged another change, the feed may use a later multiplier with the
  old share price. The status is \`OK\` or \`Market closed\` all the same. No field shows this. Of a total-return feed
  (AAPL), only \`sharePrice\` can be wrong in this way. The feeds are those of ${authors}, which
  [calls them unaudited](${authorsUrl}/README.md), and
  [warns not to use them to secure real value, and discloses this
  fault](${authorsUrl}/docs/content/security.md) (${date}).
- **A symbol identifies no token**: anyone can deploy a contract with a famous symbol. Compare \`token\` with the address
  that the issuer of the token states.
- **How old it is**: \`ageSeconds\` is the age at \`readAt\`. On the mainnet no limit of your own is needed, because
  the feed has one: until the end of 2028, a served price is at most 3.4 days old, that of AAPL at most 4.2. On the
  testnet, whose feeds serve a price of any age while the chain is idle, set a limit of your own, such as
  \`maxAgeSeconds\` of the list, which also refuses prices of a closed market.
- **Whether the reading is current**: show a price with the time of its reading (\`readAt\`). The header \`Expires\` is
  ${freshSeconds} seconds after it, rounded down. When a response arrives, the time on the service's clock is \`Date\` plus
  \`Age\` (0 if absent). From then on, add the time that has passed on your own clock. Do not use that clock's
  time of day. In a browser, request with \`cache: 'no-store'\`: its own cache repeats a response with the old \`Date\`.
- **How often to ask**: poll the list, \`GET /price\`, about a second after \`Expires\`, but at least 5 seconds after the
  last response. A client that asks for each price by itself can exceed the limit of its address. Until the next
  request ends, a price is the newest there is. If it fails, if the feed is then missing or has a \`problem\`, or 20
  seconds after \`Expires\`, the price is of the past: show it so, and let no program decide by it.
- **How long to wait**: the gateway responds within 12 seconds. Give a request 15, for example by
  \`AbortSignal.timeout(15_000)\`.`

/** How the numbers are written, and how they must be read, in Markdown. */
export const exactNumbers = `\`price\`, \`sharePrice\` and \`multiplier\` are JSON numbers with every digit that the chain holds, without exponent and
without trailing zeros. \`multiplier\` has up to 18 decimals. A parser that reads numbers into doubles rounds it:
\`1.000566080061092436\` becomes \`1.0005660800610925\`. Read it as a decimal. \`price\` and \`sharePrice\` have up to 8
decimals. Below ten million dollars, a double keeps all of their digits.`

/** What the words in all other texts stand for, in Markdown. */
export const terms = `- **Feed, served**: a feed is a contract that reports the price of one token. \`latestDetail()\` returns its price and its
  status, also of a price that the feed does not serve. The feed serves the price if \`latestRoundData()\`, the call that
  a lending market makes, returns it.
- **Per token, per share**: a token stands for \`multiplier\` shares (ERC-8056). \`price\` is in US dollars per token,
  \`sharePrice\` per share.
- **Observation**: a feed takes its price from a price source on the chain. The time of the observation
  (\`observedAt\`) is the time that the source states for that price, or the time of the block if that is earlier.
- **Staged, switch**: a token holds at most one staged change of its multiplier. The switch is when the change takes
  effect, even if the multiplier stays the same, as after a change that was called off.
- **Recorded**: a feed stores one staged change (\`snapshot()\`): both multipliers, and the time of the switch. A switch
  is recorded if the stored time is its time. Anyone may call \`poke()\` of the feed, which stores the change that the
  token has staged in place of the former one, unless the staged change has taken effect already or keeps the
  multiplier.
- **Total return**: a total-return feed (AAPL) holds the price of the token itself, and derives \`sharePrice\` from it.
  It never has the status \`Straddle\` or \`Corporate action\`.`

/** What a caller does after a problem, in Markdown. */
export const problemAdvice = `- **429** (\`too-many-requests\`): one address, or all callers together, sent more requests than this deployment allows. Ask
  its operator for the limits. Wait at least the seconds of \`Retry-After\`, then ask half as often, and again half as
  often after each further 429. Return to the usual rate after five minutes without one: an address above its own
  limit is refused until its requests of the last five minutes, refused ones included, are below it.
- **503** (\`chain-unavailable\`): the chain could not be read, which states nothing about a feed. Wait the seconds of
  \`Retry-After\`, then ask again.
- \`internal\`, \`feed-unreadable\` and \`not-configured\`: ask again at most once in ${freshSeconds} seconds, because the cache may
  repeat a problem for that long. As a rule, \`feed-unreadable\` and \`not-configured\` remain until the feed or the
  deployment is repaired.
- Any other problem below 500: do not repeat the request, which fails again. \`networks\` of \`unknown-symbol\` names the
  networks that have the symbol. Treat an unknown one from 500 on as \`internal\`, and also a success without JSON,
  a lost connection and a time-out.`

/** The rest, in Markdown: what is rarely needed is last. */
export const details = `- **Access**: no key and no account. Every origin may read every response but 413: each has
  \`Access-Control-Allow-Origin: *\`, problems and preflights included. A preflight (\`OPTIONS\`) is answered with 204:
  it allows \`GET\` with any header but \`Authorization\`, for 10 minutes. Scripts may read the headers \`Retry-After\`,
  \`Date\`, \`Age\` and \`x-amzn-RequestId\`, besides those that CORS always permits, such as \`Expires\`. The operator of
  the deployment finds a request by the \`x-amzn-RequestId\` of its response.
- **HEAD** is answered like \`GET\`, without a body.
- **Age**: \`readAt\` and \`block\` name the read. A cached response is at most ${freshSeconds} seconds old, plus the time that
  the read took. The block may be up to ${mainnet.maxHeadAgeSeconds} seconds older than \`readAt\` on the mainnet, and of any age on the
  testnet, which makes no blocks while it is idle. A cache may store a success until
  \`Expires\`, and must not store a problem. The service's own cache may repeat a problem for ${freshSeconds} seconds.
- **Generated clients**: those that \`openapi-typescript\` 7 and \`@hey-api/openapi-ts\` make of \`/openapi.json\` compile,
  and read the exact numbers as doubles. Ajv in strict mode must know the formats \`date-time\` and \`uri\`, which the
  package \`ajv-formats\` adds, and \`decimal\`: \`ajv.addFormat('decimal', { type: 'number', validate: () => true })\`.
- **Compatibility**: within \`v1\`, fields of the list, of its entries and of problems, and problems themselves, may be
  added: a client must accept those that it does not know. None is removed, renamed or changes its type or meaning. The
  response for one price keeps exactly its fields, and the seven statuses are all there are. Feeds may be added
  and removed.
- **Any other path or method** than \`GET\`, \`HEAD\` and \`OPTIONS\`: 404 (\`unknown-route\`). A slash at the end of a path is ignored: \`/price/\` is the list.
- **Ignored**: other query parameters, a body, and every request header but \`Host\`. But the pages, the description
  (\`/openapi.json\`) and every preflight refuse a request (415) that announces a body which is not JSON.
- **Large bodies**: API Gateway may refuse a body of more than about 6 MB with a 413 of its own, which is no problem
  document and has no CORS header.`

/** What the API is, for its description and its reference. */
export const about = {
  title: 'Price Lookup',
  version: '1',
  summary: 'What a contract would see at an on-chain price feed of a tokenized stock on Robinhood Chain.',
  description: [
    introduction,
    '## What to check before you use a price',
    essentials,
    '## Exact numbers',
    exactNumbers,
    '## What the words mean',
    terms,
    '## What to do after a problem',
    problemAdvice,
    '## Access, age, compatibility, other requests',
    details,
  ].join('\n\n'),
} as const
