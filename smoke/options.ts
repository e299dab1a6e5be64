import { parseArgs } from 'node:util'

/** What someone who checks a deployment can choose. */
export interface Options {
  readonly help: boolean
  /** Where the API is, without a slash at its end. */
  readonly baseUrl: string
  /** Whether the stage is expected to cache. */
  readonly caches: boolean
}

/** The command, for people. */
export const help = `npm run smoke -- [options] https://api.example/v1

Asks a deployed Price Lookup, below the URL that the stack gives as BaseUrl, whether it keeps its promises. Takes some
15 seconds and 70 requests, at most 10 per second.

  --no-cache   the stage's cache is off: every answer is expected to be a fresh read
  --help       say this

Exit code: 0 when every promise that could be seen is kept, 1 when one is broken, 2 when nothing could be asked.`

/**
 * Parses a command line.
 *
 * @throws {NothingAsked} that says what is wrong with it.
 */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args)
  const [url, other] = positionals
  if (values.help) return { help: true, baseUrl: '', caches: true }
  if (url === undefined) throw new NothingAsked('Say where the API is, as https://api.example/v1.')
  if (other !== undefined) throw new NothingAsked('One URL is enough.')
  return { help: false, baseUrl: parseBaseUrl(url), caches: !values['no-cache'] }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        'no-cache': { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    const [sentence = ''] = error instanceof Error ? error.message.split('. ') : []
    throw new NothingAsked(`${sentence.replace(/\.$/, '')}. --help shows what there is.`)
  }
}

function parseBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`) {
    return url.href.replace(/\/+$/, '')
  }
  throw new NothingAsked('The URL must be one as https://api.example/v1, without user, query and fragment.')
}

/** Tells a person why nothing could be asked: one sentence, to print alone. */
export class NothingAsked extends Error {
  override name = 'NothingAsked'
}
