import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { type FromWorker, sendTo } from './messages.ts'

/** A worker that does not reply within this time is left out of the sum. */
const REPLY_TIMEOUT_MS = 2_000

interface Collection {
  asker: Worker
  askerId: number
  expected: number
  parts: object[][]
  timeout: NodeJS.Timeout
}

interface WorkerMetrics {
  onMessage(worker: Worker, message: Extract<FromWorker, { kind: 'collect' | 'metrics' }>): void
}

/**
 * A scrape of `/metrics` reaches one worker only. That worker asks the first process, which
 * collects the metrics of all workers here and adds them up.
 */
export function createWorkerMetrics(livingWorkers: () => Worker[]): WorkerMetrics {
  const collections = new Map<number, Collection>()
  let lastId = 0

  async function finish(id: number): Promise<void> {
    const collection = collections.get(id)
    if (!collection) return
    collections.delete(id)
    clearTimeout(collection.timeout)
    const text = await AggregatorRegistry.aggregate(collection.parts).metrics()
    sendTo(collection.asker, { kind: 'collected', id: collection.askerId, text })
  }

  return {
    onMessage(worker, message) {
      if (message.kind === 'metrics') {
        const collection = collections.get(message.id)
        collection?.parts.push(message.metrics)
        if (collection?.parts.length === collection?.expected) void finish(message.id)
        return
      }
      const id = ++lastId
      const workers = livingWorkers()
      const timeout = setTimeout(() => void finish(id), REPLY_TIMEOUT_MS)
      const expected = workers.length
      collections.set(id, { asker: worker, askerId: message.id, expected, parts: [], timeout })
      for (const each of workers) sendTo(each, { kind: 'collect', id, realm: message.realm })
    },
  }
}
