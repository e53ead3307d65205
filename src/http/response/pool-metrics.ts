import { Counter, Gauge, type Registry } from 'prom-client'
import type { PoolLoad } from '../../database/connections/bounded-queue.ts'
import type { Database } from '../../database/open.ts'
import type { Pools } from '../../database/pools.ts'
import type { BulkReads, ReplicaState } from '../../events/bulk-reads.ts'

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

/** However many scrape `/metrics`, a process asks the replica at most this often. */
const REPLICA_KEPT_MS = 15_000

/** Shows from which server whole tables are read, and how far behind the replica is. */
export function addReplicaMetrics(registry: Registry, bulk: BulkReads): void {
  const inspect = keptFor(REPLICA_KEPT_MS, async () => bulk.inspect())
  new Gauge({
    name: 'pavilion_bulk_reads',
    help: 'Loads of indexes and snapshots since the start, by the server that they were read from',
    labelNames: ['server'],
    aggregator: 'sum',
    registers: [registry],
    collect() {
      for (const [server, count] of Object.entries(bulk.counts())) this.set({ server }, count)
    },
  })
  const add = (name: string, help: string, read: (state: ReplicaState) => number | undefined) =>
    new Gauge({
      name: `pavilion_replica_${name}`,
      help,
      aggregator: 'first',
      registers: [registry],
      async collect() {
        const state = await inspect()
        const value = state && read(state)
        // Absent without a replica, and while the primary is away.
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  add('usable', '1 when indexes and snapshots can be read from the replica', (state) =>
    Number(state.problem === undefined),
  )
  add('behind_changes', 'Changes of the log that the replica has not replayed', (state) =>
    state.problem === undefined ? state.changesBehind : undefined,
  )
}

/** Reads again when the last value is older than this; undefined when it cannot be read. */
function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T | undefined> {
  let value: Promise<T | undefined> = Promise.resolve(undefined)
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAtMs > ms) {
      readAtMs = performance.now()
      value = read().catch(() => undefined)
    }
    return value
  }
}
