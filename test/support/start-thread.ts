import { Worker, type WorkerOptions } from 'node:worker_threads'

export { isOutOfMemory } from '../../src/lib/start-thread.ts'

/**
 * Takes the place of `src/lib/start-thread.ts` in the tests (vitest.config.ts). A thread runs what
 * the build before the tests compiled, because loading the sources takes several times as long, and
 * each market of a test starts a thread that loads its index.
 */
export function startThread(callerUrl: string, name: string, options: WorkerOptions): Worker {
  const compiled = callerUrl.replace('/src/', '/dist/')
  return new Worker(new URL(`./${name}.js`, compiled), { ...options, execArgv: [] })
}
