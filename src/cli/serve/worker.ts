/**
 * The main module of a worker: one of several processes that serve the same ports. A terminal
 * sends its signals to all of them, so a worker ignores them; it stops when the first process says
 * so. When that process is gone, Node's cluster module ends the worker.
 */
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Realm } from '../../merchants/token.ts'
import { describeError } from '../output/print.ts'
import { type Listeners, openListeners } from './listeners.ts'
import { openLog } from './log.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { STOP_SIGNALS } from './stop-signal.ts'

const COLLECT_TIMEOUT_MS = 3_000
/** How often the workers tell each other how many calls without a token they have counted. */
const REPORT_MS = 1_000
/** Long enough for the first process to see that all workers have left. */
const LEAVE_MS = 200
const send = (message: FromWorker) => {
  if (process.connected) process.send?.(message)
}
/** Requests for everyone's metrics that have no reply yet. */
const waiting = new Map<number, (text: string) => void>()
let lastId = 0
let listeners: Listeners | undefined

for (const signal of STOP_SIGNALS) process.on(signal, () => {})
process.on('message', (message: ToWorker) => {
  if (message.kind === 'serve') void serve(message)
  else if (message.kind === 'stop') void stop(message.drainSeconds)
  else if (message.kind === 'collect') void sendMetrics(message.id, message.realm)
  else if (message.kind === 'addresses') appOf(message.realm)?.services.addresses.setOthers(message)
  else waiting.get(message.id)?.(message.text)
})

send({ kind: 'ready' })

async function serve({ config, markets }: Extract<ToWorker, { kind: 'serve' }>): Promise<void> {
  const { log } = openLog(config)
  try {
    listeners = await openListeners(config, markets, log, { collect: collectAll })
    send({ kind: 'serving', addresses: [...listeners.addresses] })
    setInterval(reportAddresses, REPORT_MS).unref()
    await listeners.whenLoaded((stones) => send({ kind: 'loading', stones }))
    send({ kind: 'loaded' })
  } catch (error) {
    const { code, detail } = describeError(error)
    send({ kind: 'failed', code, detail })
    process.exit(1)
  }
}

async function stop(drainSeconds: number): Promise<void> {
  await listeners?.close({ drainSeconds, beforePortCloses: leaveFirstProcess })
  process.exit(0)
}

/**
 * The first process keeps a copy of the listening socket for as long as a worker is connected to
 * it. Connections that arrive after the workers closed theirs would wait there, and be reset when
 * it is dropped. So it is dropped first, while the workers still accept.
 */
async function leaveFirstProcess(): Promise<void> {
  if (!cluster.worker || !process.connected) return
  // Otherwise the cluster module would end this process at once.
  cluster.worker.exitedAfterDisconnect = true
  process.disconnect()
  await sleep(LEAVE_MS)
}

/** Asks the first process for the metrics of all workers. */
async function collectAll(realm: Realm): Promise<string> {
  // Shortly before its end a worker has left the others, and knows only its own.
  if (!process.connected) return (await registryOf(realm)?.metrics()) ?? ''
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
  const registry = registryOf(realm)
  send({ kind: 'metrics', id, metrics: registry ? await registry.getMetricsAsJSON() : [] })
}

function reportAddresses(): void {
  for (const [realm, app] of listeners?.apps ?? []) {
    send({ kind: 'addresses', realm, ...app.services.addresses.own() })
  }
}

function registryOf(realm: Realm) {
  return appOf(realm)?.services.metrics.registry
}

function appOf(realm: Realm) {
  return listeners?.apps.get(realm)
}
