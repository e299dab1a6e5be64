import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documents, shellBlocksOf } from '../support/documents.ts'

const { stdout: paths } = spawnSync('sh', ['-c', 'command -v sh; command -v cat; command -v zsh'], { encoding: 'utf8' })
const [sh = '', cat = '', zsh] = paths.trim().split('\n')
if (zsh === undefined) process.stderr.write('\n*** NOT RUN: the shell blocks in zsh, which is missing ***\n\n')

/** Every program that a shell block starts, but `cat`. */
const programs = 'aws curl date gh git head npm npx python3 sort uniq'.split(' ')

/** Prints a number, and writes its name and arguments to a file. */
const standIn = `#!${sh}
IFS='|'
printf '%s\\n' "\${0##*/}|$*" >> "$CALLS"
echo 1
`

/**
 * Runs commands that a shell reads from its standard input, in a temporary folder. They find `cat` and stand-ins alone.
 *
 * @returns the lines of each written file, sorted because the programs of a pipe run at the same time. One file has the
 * calls of the stand-ins
 */
function runBlocks(shell: string, args: readonly string[], input: string) {
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-blocks-'))
  const PATH = join(folder, 'programs')
  try {
    mkdirSync(PATH)
    symlinkSync(cat, join(PATH, 'cat'))
    for (const name of programs) writeFileSync(join(PATH, name), standIn, { mode: 0o755 })
    const env = { PATH, CALLS: join(folder, 'calls'), HOME: folder }
    const { stderr } = spawnSync(shell, args, { cwd: folder, env, input, encoding: 'utf8' })
    const written = readdirSync(folder).filter(name => name !== 'programs')
    const toLines = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n').sort()
    return { files: Object.fromEntries(written.map(name => [name, toLines(name)])), stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const inDocuments = [...documents].flatMap(([file, text]) => {
  const blocks = shellBlocksOf(text)
  return blocks.length > 0 ? [[file, blocks.join('')] as const] : []
})

test.for(inDocuments)('an interactive zsh runs the shell blocks of %s as sh does', ([, input], { skip }) => {
  skip(zsh === undefined, 'missing')
  const { files, stderr } = runBlocks(sh, ['-s'], input)
  // No program is missing.
  expect(stderr).toBe('')
  expect(files).toHaveProperty('calls')
  expect(runBlocks(zsh ?? '', ['-f', '-i'], input).files).toEqual(files)
})
