import type { Worker } from 'node:worker_threads'
import { Refusal } from './refusal.ts'

interface ThreadQueueOptions {
  start: () => Worker
  /** Beyond this many, callers try again, so that the queue stays short. */
  waitingMax: number
  /** What a caller is told then. */
  busy: string
  /** A thread takes some megabytes, so it ends when nothing was asked of it for this long. */
  idleMs: number
}

interface ThreadQueue<Request, Reply> {
  run(request: Request): Promise<Reply>
  close(): Promise<void>
}

interface Waiting<Reply> {
  resolve: (reply: Reply) => void
  reject: (error: Error) => void
}

/**
 * Work for a thread that replies in the order of its requests. The thread is started when it is
 * needed; one that fails fails all that wait for it, and the next request starts another.
 */
export function createThreadQueue<Request, Reply>(
  options: ThreadQueueOptions,
): ThreadQueue<Request, Reply> {
  let worker: Worker | undefined
  let waiting: Waiting<Reply>[] = []
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = options.start()
    started.unref()
    started.on('message', (reply: Reply) => waiting.shift()?.resolve(reply))
    started.on('error', (error) => fail(started, error))
    started.on('exit', () => fail(started, new Error('the thread ended early')))
    return started
  }

  function fail(ended: Worker, error: Error): void {
    if (ended !== worker) return
    const failed = waiting
    waiting = []
    worker = undefined
    for (const { reject } of failed) reject(error)
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    const ended = worker
    if (ended) fail(ended, new Error('the thread was closed'))
    await ended?.terminate()
  }

  return {
    run(request) {
      if (waiting.length >= options.waitingMax) throw new Refusal('not_ready', options.busy)
      worker ??= start()
      worker.postMessage(request)
      clearTimeout(idle)
      idle = setTimeout(() => void (waiting.length === 0 && close()), options.idleMs).unref()
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    close,
  }
}
