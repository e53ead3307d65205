import { pino } from 'pino'
import type { Realm } from '../../merchants/token.ts'
import { type Listeners, openListeners } from './listeners.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/**
 * One of several serving processes. It does what the first process says: signals of a terminal
 * reach the whole group, so it leaves them to the first and stops when told, or when left alone.
 */
const COLLECT_MS = 3_000
const tell = (message: FromWorker) => process.send?.(message)
const waiting = new Map<number, (text: string) => void>()
let asked = 0
let listeners: Listeners | undefined

process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => void stop())
process.on('message', (message: ToWorker) => {
  if (message.kind === 'serve') void serve(message)
  else if (message.kind === 'stop') void stop()
  else if (message.kind === 'collect') void answerMetrics(message.id, message.realm)
  else waiting.get(message.id)?.(message.text)
})

tell({ kind: 'ready' })

async function serve({ config, markets }: Extract<ToWorker, { kind: 'serve' }>): Promise<void> {
  const log = pino({ level: config.logLevel })
  try {
    listeners = await openListeners(config, markets, log, { collect: collectAll })
    tell({ kind: 'serving', addresses: [...listeners.addresses] })
  } catch (error) {
    tell({ kind: 'failed', message: (error as Error).message })
    process.exit(1)
  }
}

async function stop(): Promise<void> {
  await listeners?.close()
  process.exit(0)
}

/** Asks the first process for everyone's metrics. */
function collectAll(realm: Realm): Promise<string> {
  const id = ++asked
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      waiting.delete(id)
      reject(new Error('the metrics of the other processes did not arrive'))
    }, COLLECT_MS)
    waiting.set(id, (text) => {
      clearTimeout(late)
      waiting.delete(id)
      resolve(text)
    })
    tell({ kind: 'collect', id, realm })
  })
}

async function answerMetrics(id: number, realm: Realm): Promise<void> {
  const registry = listeners?.apps.get(realm)?.services.metrics.registry
  tell({ kind: 'metrics', id, metrics: registry ? await registry.getMetricsAsJSON() : [] })
}
