import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const workflow = readFileSync('.github/workflows/deploy.yml', 'utf8')
/** The text of each job by its name. */
const jobs = new Map(workflow.split(/^ {2}(?=[\w-]+:$)/m).map(job => [job.slice(0, job.indexOf(':')), job]))

test('the jobs with a token deploy what `build` uploaded, by the id that no other job can take', () => {
  const withToken = [...jobs].filter(([, job]) => job.includes('id-token: write'))
  expect(withToken.map(([name]) => name)).toEqual(['diff', 'staging', 'prod'])
  expect(workflow).toMatch(
    /- &download\n +uses: actions\/download-artifact@.*\n +with:\n( +#.*\n)? +artifact-ids: \$\{\{ needs\.build\.outputs\.artifact-id \}\}/,
  )
  for (const [name, job] of withToken) {
    expect(job, name).toMatch(/^ {4}needs: (build|\[build, .*\])$/m)
    expect(job, name).toMatch(/^ {6}- [&*]download$/m)
    expect(job, name).toMatch(/--app cdk\.out\//)
  }
})

/** Runs a command in a folder. Returns its exit code. */
function run(cwd: string, command: string) {
  return spawnSync('sh', ['-euc', command], { cwd, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } }).status
}

test('a tag of a commit that is not on `main` ends the build, before anything is synthesised', () => {
  const build = String(jobs.get('build'))
  // Without the whole history, the clone has no `main` to compare with.
  const step =
    /fetch-depth: 0\n(?:.*\n)+? +if: github\.ref_type == 'tag'\n +run: (.+)\n(?:.*\n)+? +- run: npx cdk synth/
  const [, command = ''] = step.exec(build) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'price-lookup-tags-'))
  try {
    const author = '-c user.name=Test -c user.email=test@prices.example'
    const commit = `git ${author} commit --quiet --allow-empty --message`
    const main = `git init --quiet --initial-branch main origin && cd origin && ${commit} 1 && git tag v1 && ${commit} 2`
    expect(run(folder, `${main} && git checkout --quiet -b other && ${commit} 3 && git tag v2`)).toBe(0)
    expect(run(folder, 'git clone --quiet origin clone')).toBe(0)
    const runAt = (tag: string) => run(join(folder, 'clone'), `git checkout --quiet ${tag}; ${command}`)
    expect([runAt('v1'), runAt('origin/main'), runAt('v2')]).toEqual([0, 0, 1])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
