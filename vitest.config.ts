import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/postgres.ts'],
    pool: 'forks',
    // By default vitest keeps one core for itself, so two cores would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Generous, so that a test does not fail because the machine is busy.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
})
