import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/kit/global.ts'],
    setupFiles: ['test/kit/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: a second worker keeps both busy, a third only adds memory.
    maxWorkers: 2,
    pool: 'threads',
    // Loading the sources anew for each file took five minutes of twenty; nothing in them is kept in modules.
    isolate: false,
  },
})
