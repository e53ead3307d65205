import type { Worker } from 'node:cluster'
import type { AddressCounts } from '../../http/request/address-limit.ts'
import type { Realm } from '../../merchants/token.ts'
import { type FromWorker, sendTo } from './messages.ts'

interface WorkerAddresses {
  onMessage(worker: Worker, message: Extract<FromWorker, { kind: 'addresses' }>): void
}

/** What each worker has counted in the present minute. */
interface Minute {
  minute: number
  byWorker: Map<number, AddressCounts['counts']>
}

/**
 * Each connection reaches one worker only, so every second a worker reports the busy addresses
 * that it has counted, and is told in reply what the others have counted for each address.
 */
export function createWorkerAddresses(): WorkerAddresses {
  const minutes = new Map<Realm, Minute>()
  return {
    onMessage(worker, { realm, minute, counts }) {
      let known = minutes.get(realm)
      if (!known || minute > known.minute) {
        known = { minute, byWorker: new Map() }
        minutes.set(realm, known)
      }
      // The report of a worker whose minute has ended in the meantime.
      if (minute < known.minute) return
      known.byWorker.set(worker.id, counts)
      const others = sumOthers(known, worker.id)
      if (others.length > 0) sendTo(worker, { kind: 'addresses', realm, minute, counts: others })
    },
  }
}

function sumOthers({ byWorker }: Minute, workerId: number): AddressCounts['counts'] {
  const sums = new Map<string, number>()
  for (const [id, counts] of byWorker) {
    if (id === workerId) continue
    for (const [address, count] of counts) sums.set(address, (sums.get(address) ?? 0) + count)
  }
  return [...sums]
}
