import { Worker } from 'node:worker_threads'

export interface LoadOptions {
  port: number
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  /** Bodies that are sent in turn; empty for a GET. */
  bodies: string[]
  connections: number
  durationMs: number
}

export interface LoadResult {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
}

/** Keeps connections busy from a worker thread, so that the client does not slow the server. */
export function load(options: LoadOptions): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load-thread.mjs', import.meta.url), {
      workerData: options,
    })
    worker.once('message', (result: LoadResult) => {
      resolve(result)
      void worker.terminate()
    })
    worker.once('error', reject)
  })
}
