import { defineConfig } from 'vitest/config'

// The example client, which needs Python.
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    // The first start of the local world compiles, bundles and synthesises, on two busy cores.
    hookTimeout: 60_000,
    testTimeout: 20_000,
  },
})
