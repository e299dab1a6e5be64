import { defineConfig } from 'vitest/config'

/** The tests of the board in a real browser, on the local service. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    // `SCREENSHOTS=folder npm run test:browser` saves a screenshot of every state in the folder.
    exclude: process.env['SCREENSHOTS'] === undefined ? ['test/browser/screenshots.test.ts'] : [],
    globalSetup: ['test/browser/start-chains.ts'],
    // Two workers, each with one browser for all of its files.
    maxWorkers: 2,
    isolate: false,
    hookTimeout: 60_000,
    testTimeout: 40_000,
    expect: { poll: { timeout: 10_000 } },
    // The functions log each failure that a test causes.
    silent: 'passed-only',
  },
})
