import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { robinhood } from 'viem/chains'
import { afterAll, expect, test } from 'vitest'
import { toPriceRecord } from '../../lambda/feeds/price-record.ts'
import { findFeed } from '../../lambda/feeds/registry.ts'

const reference = readFileSync('docs/api.md', 'utf8')
const multiplier = 1_000_566_080_061_092_436n

/** A record as the service writes it. */
function toText(): string {
  const feed = findFeed('mainnet', 'CRWD')
  if (feed === undefined) throw new Error('There is no feed CRWD')
  const detail = { status: 'OK', answer: 1n, observedAt: 1, sharePrice: 1n, multiplier } as const
  const head = { chain: robinhood, block: 1, readAt: new Date() }
  return JSON.stringify(toPriceRecord({ feed, detail, round: { answer: 1n } }, head))
}

const folder = mkdtempSync(join(tmpdir(), 'price-lookup-digits-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (command: string) => spawnSync('sh', ['-c', command], { cwd: folder, input: toText(), encoding: 'utf8' })

/** A command that fails without the tool, the program around the code, and the command that runs its file. */
const tools: Record<
  string,
  readonly [check: string, toProgram: (code: string) => string, command: string, file: string]
> = {
  JavaScript: [
    'node --version',
    code => `const text = require('node:fs').readFileSync(0, 'utf8'); console.log((${code}).multiplier)`,
    'node',
    'main.cjs',
  ],
  Python: [
    'python3 --version',
    code => `import json, sys; from decimal import Decimal; text = sys.stdin.read(); print((${code})['multiplier'])`,
    'python3',
    'main.py',
  ],
  Go: [
    'go version',
    code => `package main; import ("encoding/json"; "fmt"; "os"); func main() { ${code}
      if err := json.NewDecoder(os.Stdin).Decode(&record); err != nil { panic(err) }
      fmt.Println(record.Multiplier) }`,
    'go run',
    'main.go',
  ],
  jq: ["jq --version | grep -E 'jq-1[.]([7-9]|[1-9][0-9])'", code => code, 'sh', 'main.sh'],
}

test.for(Object.entries(tools))('%s keeps every digit as documented (D3)', ([name, tool], { skip }) => {
  const [check, toProgram, command, file] = tool
  const [, code = ''] = new RegExp(`^\\| ${name}\\b[^|]*\\| \`(.+)\` \\|$`, 'm').exec(reference) ?? []
  expect(code).not.toBe('')
  expect(readFileSync('README.md', 'utf8')).toContain(name === 'Go' ? 'json.Number' : code)
  const isMissing = run(check).status !== 0
  if (isMissing) process.stderr.write(`\n*** NOT RUN: the digits of ${name}, which is missing or too old ***\n\n`)
  skip(isMissing, 'missing or too old')
  writeFileSync(join(folder, file), toProgram(code))
  expect(run(`${command} ${file}`)).toMatchObject({ stdout: '1.000566080061092436\n', stderr: '' })
})

test('a double loses less than 2^-53 of it, as documented', () => {
  const double: number = JSON.parse(toText()).multiplier
  expect(reference).toContain(`\`1.000566080061092436\` becomes \`${double}\``)
  // A double between 1 and 2 is a multiple of 2^-52.
  const lost = BigInt(double * 2 ** 52) * 10n ** 18n - multiplier * 2n ** 52n
  expect(lost).not.toBe(0n)
  expect((lost < 0n ? -lost : lost) * 2n ** 53n < multiplier * 2n ** 52n).toBe(true)
})
