/** Runs several server processes with Node's cluster module, which shares the ports. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { CommandRefusal } from '../output/print.ts'
import type { Addresses } from './listeners.ts'
import type { OnLoading } from './loading.ts'
import { forwardLines, type ServerLog } from './log.ts'
import { type FromWorker, sendTo } from './messages.ts'
import type { PreparedMarket } from './open-markets.ts'
import { STOP_MS_MAX } from './stop-serving.ts'
import { createWorkerAddresses } from './worker-addresses.ts'
import { createWorkerMetrics } from './worker-metrics.ts'

/** Without a delay, a worker that fails at its start would be restarted in a tight loop. */
const RESTART_DELAY_MS = 1_000
/** Beyond what a worker itself takes to stop; then it is killed. */
const KILL_AFTER_MS = STOP_MS_MAX + 2_000

interface Workers {
  addresses: Addresses
  /** Resolves when every worker answers searches. */
  whenLoaded(onLoading: OnLoading): Promise<void>
  close(options: { drainSeconds: number }): Promise<void>
}

/** Serves the markets from several processes on the same ports; replaces a process that dies. */
export async function openWorkers(
  config: Config,
  markets: PreparedMarket[],
  count: number,
  { log, output }: ServerLog,
): Promise<Workers> {
  let closing = false
  const loaded: Promise<void>[] = []
  let report: OnLoading = () => {}
  const exec = fileURLToPath(new URL(`./worker${extname(import.meta.url)}`, import.meta.url))
  // The workers accept connections themselves (docs/decisions/0009-stopping.md).
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec, silent: true })
  const metrics = createWorkerMetrics(livingWorkers)
  const addresses = createWorkerAddresses()

  function startWorker(): Promise<Addresses> {
    const worker = cluster.fork()
    const { stdout, stderr } = worker.process
    if (stdout) forwardLines(stdout, output)
    stderr?.pipe(process.stderr, { end: false })
    worker.on('exit', (code, signal) => {
      if (closing) return
      log.error({ code, signal, pid: worker.process.pid }, 'worker exited; starting another')
      setTimeout(() => closing || void startWorker().catch(() => {}), RESTART_DELAY_MS)
    })
    loaded.push(
      new Promise((resolve) => {
        // The worker that replaces a dead one loads while the others serve.
        worker.on('exit', () => resolve())
        worker.on('message', ({ kind }: FromWorker) => kind === 'loaded' && resolve())
      }),
    )
    return new Promise((resolve, reject) => {
      worker.on('exit', () => reject(new Error('A worker exited before it was ready.')))
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') sendTo(worker, { kind: 'serve', config, markets })
        else if (message.kind === 'serving') resolve(new Map(message.addresses))
        else if (message.kind === 'failed') reject(failureOf(message))
        else if (message.kind === 'addresses') addresses.onMessage(worker, message)
        else if (message.kind === 'loading') report(message.stones)
        else if (message.kind !== 'loaded') metrics.onMessage(worker, message)
      })
    })
  }

  async function whenLoaded(onLoading: OnLoading): Promise<void> {
    report = onLoading
    await Promise.all(loaded)
  }

  async function close({ drainSeconds }: { drainSeconds: number }): Promise<void> {
    closing = true
    const workers = livingWorkers()
    const ended = Promise.all(workers.map((worker) => once(worker, 'exit')))
    for (const worker of workers) sendTo(worker, { kind: 'stop', drainSeconds })
    const killAfterMs = drainSeconds * 1000 + KILL_AFTER_MS
    await Promise.race([ended, sleep(killAfterMs, undefined, { ref: false })])
    for (const worker of livingWorkers()) worker.process.kill('SIGKILL')
  }

  try {
    const addresses = await Promise.all(Array.from({ length: count }, startWorker))
    return { addresses: addresses[0], whenLoaded, close }
  } catch (error) {
    await close({ drainSeconds: 0 })
    throw error
  }
}

/** With its code, which `start --json` prints as if there were one process. */
function failureOf({ code, detail }: { code: string; detail: string }): Error {
  return code === 'address_unavailable' ? new CommandRefusal(code, detail) : new Error(detail)
}

function livingWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}
