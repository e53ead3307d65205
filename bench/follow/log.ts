import type { Change } from '../../src/events/change-log.ts'
import type { MarketLog } from '../../src/events/market-log.ts'

export interface SteadyLog extends MarketLog {
  start(perSecond: number): void
  stop(): void
  /** The last number. */
  last(): number
}

/** A log that goes on after a number at a steady rate, once it is started. */
export function steadyLog(from: number, ids: readonly number[]): SteadyLog {
  // Coprime to most numbers, so that the stones of a batch are scattered and all have their turn.
  const STRIDE = 7_919
  let [started, perSecond, before] = [0, 0, from]
  const last = () => before + Math.floor(((performance.now() - started) / 1000) * perSecond)
  const changeAt = (sequence: number): Change => ({
    sequence,
    gem_id: ids[(sequence * STRIDE) % ids.length],
    variant_id: null,
    sku: '',
    merchant_uuid: null,
    kind: 'price',
    price_list: null,
    former_type: null,
    merchants: null,
    changed_on: '',
  })
  return {
    last,
    start(rate) {
      started = performance.now()
      perSecond = rate
    },
    stop() {
      before = last()
      perSecond = 0
    },
    number: async () => last(),
    async read(after, limit) {
      const upTo = Math.min(last(), after + limit)
      const changes = Array.from({ length: upTo - after }, (_, i) => changeAt(after + 1 + i))
      return { changes, upTo }
    },
  }
}
