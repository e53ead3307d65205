import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/sequencer.ts'

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^[./]+\/lib\/start-thread\.ts$/,
        replacement: resolve('test/support/start-thread.ts'),
      },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [
      'test/support/build.ts',
      'test/support/temporary-folder.ts',
      'test/support/postgres.ts',
    ],
    setupFiles: ['test/support/properties.ts'],
    pool: 'forks',
    // A process runs many files, so that it loads the application once: that takes longer than
    // most files. What a file leaves behind (timers, spies, servers) is seen by the next one.
    isolate: false,
    // Many tests wait for PostgreSQL or for processes that they start, so that as many files at a time
    // as there are cores would leave some of them idle.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Generous, so that a test does not fail because the machine is busy.
    testTimeout: 240_000,
    hookTimeout: 660_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
