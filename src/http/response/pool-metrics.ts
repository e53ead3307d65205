import { Counter, Gauge, type Registry } from 'prom-client'
import type { PoolLoad } from '../../database/bounded-queue.ts'
import type { Database } from '../../database/open.ts'
import type { Pools } from '../../database/pools.ts'

/** Shows how much of each pool is in use, by the name of the pool. */
export function addPoolMetrics(registry: Registry, pools: Pools): void {
  const connectionErrors = new Counter({
    name: 'pavilion_database_connection_errors_total',
    help: 'Connections to the database that broke while idle',
    registers: [registry],
  })
  const named = Object.entries<Database>({ ...pools })
  for (const [, { pool }] of named) pool.on('error', () => connectionErrors.inc())
  const gauges: [name: string, help: string, read: (load: PoolLoad) => number][] = [
    ['max', 'Connections that the pool may open', ({ max }) => max],
    ['total', 'Connections that are open', ({ total }) => total],
    ['in_use', 'Connections in use', ({ inUse }) => inUse],
    ['waiting', 'Callers that wait for a connection', ({ waiting }) => waiting],
    ['refused', 'Callers refused since the start, with too many waiting', ({ refused }) => refused],
  ]
  for (const [name, help, read] of gauges) {
    new Gauge({
      name: `pavilion_database_pool_${name}`,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        for (const [pool, { load }] of named) this.set({ pool }, read(load()))
      },
    })
  }
}
