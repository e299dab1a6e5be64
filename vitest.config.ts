import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need more than Node, a browser and Python, and are run by `test:browser` and `test:clients`.
    exclude: ['test/browser/**', 'test/clients/**'],
    // The first start of the local world compiles, bundles and synthesises, on two busy cores.
    hookTimeout: 60_000,
    testTimeout: 20_000,
    coverage: { include: ['lambda/**/*.ts', 'infra/**/*.ts', 'local/**/*.ts', 'smoke/**/*.ts'], reporter: ['text'] },
  },
})
