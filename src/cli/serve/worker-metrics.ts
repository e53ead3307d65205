import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { FromWorker } from './messages.ts'
import { tell } from './workers.ts'

/** A worker that does not answer within this time is left out of the sum. */
const ANSWER_MS = 2_000

interface Collection {
  asker: Worker
  askerId: number
  expected: number
  parts: object[][]
  late: NodeJS.Timeout
}

export interface MetricsExchange {
  take(worker: Worker, message: Extract<FromWorker, { kind: 'collect' | 'metrics' }>): void
}

/** Gathers the metrics of all workers for the one that was asked for them, and adds them up. */
export function createMetricsExchange(livingWorkers: () => Worker[]): MetricsExchange {
  const collections = new Map<number, Collection>()
  let lastId = 0

  async function finish(id: number): Promise<void> {
    const collection = collections.get(id)
    if (!collection) return
    collections.delete(id)
    clearTimeout(collection.late)
    const text = await AggregatorRegistry.aggregate(collection.parts).metrics()
    tell(collection.asker, { kind: 'collected', id: collection.askerId, text })
  }

  return {
    take(worker, message) {
      if (message.kind === 'metrics') {
        const collection = collections.get(message.id)
        collection?.parts.push(message.metrics)
        if (collection?.parts.length === collection?.expected) void finish(message.id)
        return
      }
      const id = ++lastId
      const workers = livingWorkers()
      const late = setTimeout(() => void finish(id), ANSWER_MS)
      const expected = workers.length
      collections.set(id, { asker: worker, askerId: message.id, expected, parts: [], late })
      for (const each of workers) tell(each, { kind: 'collect', id, realm: message.realm })
    },
  }
}
