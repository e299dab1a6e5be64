import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('../docs/bench.md', import.meta.url))

/** Above it the page is written by hand, below it by the benchmark. */
const mark = '<!-- What follows is written by `node bench/bench.ts`. -->'

/** Writes the measurements into docs/bench.md, below what is written there by hand. */
export async function writeDocument(machine: string, sections: readonly string[]): Promise<void> {
  const [byHand = ''] = (await readFile(file, 'utf8')).split(mark)
  await writeFile(file, [`${byHand}${mark}\n`, `Measured on ${machine}\n`, ...sections].join('\n'))
}
