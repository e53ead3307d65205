import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Starts a thread from the module `name` in the folder of the caller, given by its URL. */
export function startThread(callerUrl: string, name: string, options: WorkerOptions): Worker {
  if (callerUrl.endsWith('.js')) return new Worker(new URL(`./${name}.js`, callerUrl), options)
  // Started from the sources (by tests and benches), the thread needs a loader for TypeScript.
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/cjs$/, 'mjs'),
  )
  const script = new URL(`./${name}.ts`, callerUrl)
  const start = `(register(), import('${script.href}'))`
  const code = `import('${loader.href}').then(({ register }) => ${start})`
  return new Worker(code, { ...options, eval: true, execArgv: [] })
}

/** Whether a thread ended because it needed more memory than its `resourceLimits` allow. */
export function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}
