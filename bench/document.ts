import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('../docs/bench.md', import.meta.url))

/** Above it the page is written by hand, below it by the benchmark. */
const mark = '<!-- What follows is written by `npm run bench`. -->'

/** Writes the measurements into docs/bench.md, below what is written there by hand. */
export async function writeDocument(machine: string, sections: readonly string[]): Promise<void> {
  await writeFile(file, replaceMeasurements(await readFile(file, 'utf8'), machine, sections))
}

/**
 * Puts measurements into the place of those that the page has.
 *
 * @throws {Error} when the page does not say, once, where they begin.
 */
export function replaceMeasurements(page: string, machine: string, sections: readonly string[]): string {
  const [byHand = '', ...measured] = page.split(mark)
  if (measured.length !== 1)
    throw new Error(`The page must have this line once, and has it ${measured.length} times: ${mark}`)
  return [`${byHand}${mark}\n`, `Measured on ${machine}\n`, ...sections].join('\n')
}
