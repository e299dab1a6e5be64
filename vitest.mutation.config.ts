import { defineConfig } from 'vitest/config'

// What can tell a mutant of `lambda/` from the original within seconds: the tests that run it in their own process.
export default defineConfig({
  test: {
    include: ['test/{feeds,chain,handlers}/**/*.test.ts', 'test/rpc-urls.test.ts'],
    hookTimeout: 60_000,
    testTimeout: 20_000,
  },
})
