import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

// The tests, and the processes that they start, get these variables of the shell alone.
const shell = Object.entries(process.env)
const taken = /^(PATH|HOME|TMPDIR|CHROMIUM|TEST|VITEST.*)$/
for (const [name] of shell) {
  if (!taken.test(name)) delete process.env[name]
}
process.env['NODE_ENV'] = 'test'

/** What `npm test` runs. A file leaves nothing changed in its process, so that each worker loads CDK and viem once. */
const modules: TestProjectInlineConfiguration = {
  test: {
    name: 'modules',
    include: ['test/**/*.test.ts'],
    exclude: ['test/{browser,clients,system}/**'],
    isolate: false,
  },
}

/** The board in a real browser, in front of the local run. */
const browser: TestProjectInlineConfiguration = {
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    // Two workers, each with one browser and one deployment for all of its files.
    maxWorkers: 2,
    isolate: false,
    // Projects with different numbers of workers need different groups.
    sequence: { groupOrder: 1 },
  },
}

/** Whole commands, copies of the repository and audits of every environment, which CI runs besides `npm test`. */
const system: TestProjectInlineConfiguration = {
  test: { name: 'system', include: ['test/system/**/*.test.ts'] },
}

/** The variables of the shell with which npm's registry is reached. */
const network = shell.filter(([name]) => /^(npm_config_.*|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name))
const noProxy = network.filter(([name]) => /^no_proxy$/i.test(name)).map(([, hosts]) => hosts)

/**
 * The bundles under AWS's runtime client and generated clients, which need npm's registry, and the commands of the
 * documents.
 */
const clients: TestProjectInlineConfiguration = {
  test: {
    name: 'clients',
    include: ['test/clients/**/*.test.ts'],
    env: { ...Object.fromEntries(network), no_proxy: [...noProxy, '127.0.0.1'].join() },
  },
}

export default defineConfig({
  test: {
    projects: [modules, system, browser, clients],
    maxWorkers: availableParallelism(),
    // These limits end a run that hangs. No test depends on them, on any machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 500_000 } },
    // The functions log each failure that a test causes.
    silent: 'passed-only',
    coverage: {
      // Unlike V8's, it takes no time in the modules that are not measured.
      provider: 'istanbul',
      include: ['{api,checks,infra,lambda}/**/*.ts'],
      exclude: ['infra/app.ts'],
      reporter: ['text'],
      // The thresholds are the measured values, rounded down. The programs of infra/ and checks/ run in processes that
      // are not measured.
      thresholds: {
        'api/**': { lines: 100, branches: 100 },
        'lambda/**': { lines: 100, branches: 97 },
        'infra/**': { lines: 99, branches: 96 },
        'checks/**': { lines: 97, branches: 91 },
      },
    },
  },
})
