import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/postgres.ts'],
    pool: 'forks',
    // The default leaves one core to vitest, which on two cores means one file after the other.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Generous, because a busy machine is no failure; nothing waits for them when all is well.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
})
