/**
 * The main module of a worker: one of several processes that serve the same ports. A terminal
 * sends its signals to all of them, so a worker ignores them; it stops when the first process says
 * so, or when that process is gone.
 */
import { pino } from 'pino'
import type { Realm } from '../../merchants/token.ts'
import { type Listeners, openListeners } from './listeners.ts'
import type { FromWorker, ToWorker } from './messages.ts'

const COLLECT_TIMEOUT_MS = 3_000
const send = (message: FromWorker) => process.send?.(message)
/** Requests for everyone's metrics that have no reply yet. */
const waiting = new Map<number, (text: string) => void>()
let lastId = 0
let listeners: Listeners | undefined

process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => void stop())
process.on('message', (message: ToWorker) => {
  if (message.kind === 'serve') void serve(message)
  else if (message.kind === 'stop') void stop()
  else if (message.kind === 'collect') void sendMetrics(message.id, message.realm)
  else waiting.get(message.id)?.(message.text)
})

send({ kind: 'ready' })

async function serve({ config, markets }: Extract<ToWorker, { kind: 'serve' }>): Promise<void> {
  const log = pino({ level: config.logLevel })
  try {
    listeners = await openListeners(config, markets, log, { collect: collectAll })
    send({ kind: 'serving', addresses: [...listeners.addresses] })
  } catch (error) {
    send({ kind: 'failed', message: (error as Error).message })
    process.exit(1)
  }
}

async function stop(): Promise<void> {
  await listeners?.close()
  process.exit(0)
}

/** Asks the first process for the metrics of all workers. */
function collectAll(realm: Realm): Promise<string> {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => {
      waiting.delete(id)
      reject(new Error('the other processes did not send their metrics in time'))
    }, COLLECT_TIMEOUT_MS)
    waiting.set(id, (text) => {
      clearTimeout(timeout)
      waiting.delete(id)
      resolve(text)
    })
    send({ kind: 'collect', id, realm })
  })
}

async function sendMetrics(id: number, realm: Realm): Promise<void> {
  const registry = listeners?.apps.get(realm)?.services.metrics.registry
  send({ kind: 'metrics', id, metrics: registry ? await registry.getMetricsAsJSON() : [] })
}
