import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Respond, startFaultyNode, status } from '../support/chain/faulty-node.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service[Symbol.asyncDispose]())
const { baseUrl } = service

// The title of a test names Python if the test needs it.
const lacksPython = spawnSync('python3', ['--version']).status !== 0
if (lacksPython) process.stderr.write('\n*** NOT RUN: what needs python3, which is missing ***\n\n')
beforeEach(({ skip, task }) => skip(lacksPython && /python/i.test(task.name), 'missing'))

/** Runs a command of the shell, for which `BASE` is the base URL and `PROGRAM` a program. */
const run = (command: string, program = '', input = '') =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve => {
    const env = { ...process.env, BASE: baseUrl, PROGRAM: program }
    const child = execFile('sh', ['-c', command], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
    // A program that is missing does not read.
    child.stdin?.on('error', () => {}).end(input)
  })

const python = 'python3 docs/examples/prices.py'
const javascript = 'node docs/examples/price.mjs'
const oldJavascript = `node --import 'data:text/javascript,delete JSON.rawJSON' docs/examples/price.mjs`
const withRow = (row: string) => expect.stringContaining(`${row}\n`)
const aapl = 'price 271.84930217\nsharePrice 271.69550076\nmultiplier 1.000566080061092436\nOK, served\n'

test.each([
  [`${python} "$BASE"`, withRow('AAPL      OK                    271.84930217  served')],
  [`${python} "$BASE"`, withRow('SNAP      No data                          -  FeedUnavailable')],
  [`${python} "$BASE/" testnet`, withRow('labTSLA   Straddle                   1290.51  FeedUnavailable')],
  [`${javascript} "$BASE" aapl`, aapl],
  [`${javascript} "$BASE/" PLTR testnet`, 'price -\nsharePrice -\nmultiplier -\nNo data, not served\n'],
])('%s prints prices with every digit, or that there is none (D3)', async (command, stdout) => {
  expect(await run(command)).toEqual({ code: 0, stdout, stderr: '' })
})

const pythonUsage =
  'Prints the status and price of every feed: python3 prices.py https://…/v1 [testnet] (Python 3.8 or later)\n'

test.each([
  [python, 2, pythonUsage],
  [`${python} "$BASE" testnet more`, 2, pythonUsage],
  [`${python} "$BASE" "moon & stars"`, 1, /^Unknown network: The query parameter "network" takes .+\n$/],
  [`${python} http://127.0.0.1:1/v1`, 1, /^No response: .*refused\n$/],
  [`${javascript} "$BASE"`, 2, 'node price.mjs https://…/v1 CRWD [testnet] (Node 22 or later)\n'],
  [`${javascript} "$BASE" NOPE`, 1, /^Unknown symbol: .+\n$/],
  [`${javascript} http://127.0.0.1:1/v1 CRWD`, 1, 'No response: bad port\n'],
  [oldJavascript, 2, /^Node 22 or later is needed, and this is v\d.*\n$/],
])('%s exits with %i and one line', async (command, code, line) => {
  const stderr = typeof line === 'string' ? line : expect.stringMatching(line)
  expect(await run(command)).toEqual({ code, stdout: '', stderr })
})

/** A response that ends early. */
const cut: Respond = response => response.writeHead(200, { 'Content-Length': 99 }).write('{}', () => response.destroy())

test.each([
  ['200 with null', status(200, 'null'), 'No prices: HTTP 200', 'No price: HTTP 200'],
  ['403 with another object', status(403, '{"message":"No"}'), 'No prices: HTTP 403', 'No price: HTTP 403'],
  ['200 that ends early', cut, 'No JSON: HTTP 200', 'No JSON: HTTP 200'],
  ['502 with HTML', status(502, '<h1>Bad gateway</h1>'), 'No JSON: HTTP 502', 'No JSON: HTTP 502'],
])('%s, which is no response of the service, is one line of Python and of JavaScript', async (...row) => {
  const [, respond, ofPython, ofJavascript] = row
  await using another = await startFaultyNode(respond)
  const otherUrl = another.url.origin
  const failed = (line: string) => ({ code: 1, stdout: '', stderr: `${line}\n` })
  expect(await run(`${python} ${otherUrl}`)).toEqual(failed(ofPython))
  expect(await run(`${javascript} ${otherUrl} CRWD`)).toEqual(failed(ofJavascript))
})

const reference = readFileSync('docs/api.md', 'utf8')

test.each([
  ['Python', 'python', 'python3 -c', "'multiplier': Decimal('1.000566080061092436')", /^This service has no feed/],
  ['JavaScript', 'js', 'node --eval', "multiplier: '1.000566080061092436'", /Error: HTTP 404: This service has/],
])('the %s request of docs/api.md prints a record, or the detail of a problem', async (...row) => {
  const [, language, interpreter, digits, detail] = row
  // The last block of the language.
  const [, code = ''] = new RegExp(`.*\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(reference) ?? []
  const program = code.replace('https://prices.example/v1', baseUrl)
  const runFor = (symbol: string) => run(`${interpreter} "$PROGRAM"`, program.replace('CRWD', symbol))
  expect((await runFor('AAPL')).stdout).toContain(digits)
  expect(await runFor('NOPE')).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(detail) })
})

test('the fields that the README shows are those of a first run', async () => {
  const samples = readFileSync('README.md', 'utf8').matchAll(/```jsonc\n(.*?) {2}\/\/ and others\n}\n```/gs)
  const shown = Array.from(samples, ([, fields = '']) => JSON.parse(`${fields}}`))
  expect(shown).toMatchObject([{ servesLatestRoundData: true }, { servesLatestRoundData: false }])
  for (const fields of shown) {
    const record = await (await fetch(`${baseUrl}/price/${fields.symbol}`)).text()
    const first = Object.entries(JSON.parse(record)).slice(0, Object.keys(fields).length)
    expect(first).toEqual(Object.entries(fields))
  }
})

const runGo = 'cd "$(mktemp -d)" && printf %s "$PROGRAM" > main.go && go run main.go && rm -r "$PWD"'
const readText = `const text = require('node:fs').readFileSync(0, 'utf8')`
const importAll = 'import json, sys; from decimal import Decimal; text = sys.stdin.read()'
const toGo = (code: string) => `package main; import ("encoding/json"; "fmt"; "os"); func main() { ${code}
  if err := json.NewDecoder(os.Stdin).Decode(&record); err != nil { panic(err) }
  fmt.Println(record.Multiplier) }`
const toRuby = (code: string) =>
  `require 'json'; require 'bigdecimal'; text = $stdin.read; puts (${code})['multiplier'].to_s('F')`

/**
 * How code of docs/api.md is run: a command that fails without the tool, the command, and the program around the code.
 */
const tools: readonly (readonly [name: string, check: string, command: string, toProgram: (code: string) => string])[] =
  [
    ['JavaScript', 'true', 'node -e "$PROGRAM"', code => `${readText}; console.log((${code}).multiplier)`],
    ['Python', 'true', 'python3 -c "$PROGRAM"', code => `${importAll}; print((${code})['multiplier'])`],
    ['Go', 'go version', runGo, toGo],
    ['Ruby', 'ruby --version', 'ruby -e "$PROGRAM"', toRuby],
    ['jq', "jq --version | grep -E 'jq-1[.]([7-9]|[1-9][0-9])'", 'sh -c "$PROGRAM"', code => code],
  ]

test.for(tools)('%s keeps every digit as documented', async ([name, check, command, toProgram], { skip }) => {
  const [, code = ''] = new RegExp(`^\\| ${name} \\| \`(.+?)\` \\| `, 'm').exec(reference) ?? []
  expect(code).not.toBe('')
  const isMissing = (await run(check)).code !== 0
  if (isMissing) process.stderr.write(`\n*** NOT RUN: the digits of ${name}, which is missing or too old ***\n\n`)
  skip(isMissing, 'missing or too old')
  const record = await (await fetch(`${baseUrl}/price/AAPL`)).text()
  const ended = await run(command, toProgram(code), record)
  expect(ended).toEqual({ code: 0, stdout: '1.000566080061092436\n', stderr: '' })
})
