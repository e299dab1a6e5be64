import { defineConfig } from 'vitest/config'

/** The tests of the board in a real browser, above the local world. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    // `SCREENSHOTS=folder npm run test:browser` takes a picture of every state into the folder, for eyes to judge.
    exclude: process.env['SCREENSHOTS'] === undefined ? ['test/browser/screenshots.test.ts'] : [],
    globalSetup: ['test/browser/start-chains.ts'],
    // A browser, a gateway and two chains are enough for two cores.
    fileParallelism: false,
    hookTimeout: 60_000,
    // Some wait until an answer in the cache has grown too old, twice.
    testTimeout: 40_000,
    expect: { poll: { timeout: 10_000 } },
    // The functions log each failure that a test brings about.
    silent: 'passed-only',
  },
})
