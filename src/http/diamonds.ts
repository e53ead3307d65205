import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { startIndexAudit } from '../gems/indexing/audit.ts'
import { createParcels } from '../gems/parcels.ts'
import { type DiamondSearch, startDiamondSearch } from '../gems/search/diamonds.ts'
import { bytesOf, sizeOf } from '../index/index.ts'
import type { App } from './route.ts'
import { registerDiamondsV2 } from './v2/diamonds.ts'
import { registerDiamondsV3 } from './v3/diamonds.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The diamonds of this market, in memory. A writer awaits `index.catchUp()` at its end. */
    diamonds: DiamondSearch
  }
}

export interface DiamondDeps {
  database: Database
  publicUrl: string
}

/** The diamond market: its index with its checks and figures, and the routes that read it. */
export function registerDiamonds(
  app: App,
  { database, publicUrl }: DiamondDeps,
  { registry }: { registry: Registry },
): void {
  const onError = (error: unknown) => app.log.warn({ err: error }, 'diamond index')
  const diamonds = startDiamondSearch({ database, publicUrl, onError })
  const audit = startIndexAudit(database, diamonds.index, onError)
  app.decorate('diamonds', diamonds)
  app.readiness.add({ name: 'diamond index', problem: () => diamonds.index.problem() })
  app.readiness.add({ name: 'diamond index audit', problem: () => audit.problem() })
  registerGauges(registry, diamonds, () => audit.figures())
  app.addHook('onClose', async () => {
    audit.stop()
    await diamonds.stop()
  })
  const parcels = createParcels(database.db, () => diamonds.index.sequence())
  registerDiamondsV2(app, { diamonds })
  registerDiamondsV3(app, { diamonds, parcels, publicUrl })
}

function registerGauges(
  registry: Registry,
  { index, stones }: DiamondSearch,
  audit: () => { checked: number; drifted: number },
): void {
  const loaded = <T>(read: () => T, absent: T) => (index.sequence() === undefined ? absent : read())
  const gauges: [name: string, help: string, read: () => number][] = [
    ['stones', 'Stones in the index', () => loaded(() => sizeOf(index.store()), 0)],
    ['bytes', 'Bytes of the index', () => loaded(() => bytesOf(index.store()), 0)],
    ['sequence', 'Last number of the change log in the index', () => index.sequence() ?? -1],
    ['ready', '1 when the index is loaded and in step', () => (index.problem() ? 0 : 1)],
    ['audited_stones', 'Stones compared with the table', () => audit().checked],
    ['drifted_stones', 'Stones that were not as in the table', () => audit().drifted],
    ['rendered_stones', 'Stones in the rendered cache', () => stones.size().entries],
    ['rendered_bytes', 'Bytes of the rendered cache', () => stones.size().bytes],
  ]
  for (const [name, help, read] of gauges) {
    new Gauge({
      name: `pavilion_index_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
}
