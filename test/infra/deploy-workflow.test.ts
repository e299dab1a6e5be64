import { readFileSync } from 'node:fs'
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
