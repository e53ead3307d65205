/**
 * Four times as many calls as the server can answer: how many it still answers, how long those
 * take compared with a quiet server, and how soon the others are refused. Capacity, quiet times
 * and overload are measured in each round, by a client process, for searches and for orders.
 * Capacity is a closed loop of a few connections. The calls of the quiet server and of the
 * overload are an open loop: a call is sent when it is due, whether or not the earlier ones are
 * answered. The first second of the overload, which the server may take for a burst, is apart.
 *
 *     npx tsx bench/overload.ts [--rounds 3] [--seconds 10] [--only orders]
 */
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../src/database/open.ts'
import { createDemoMarket } from '../src/demo/market.ts'
import { createMerchant } from '../src/merchants/merchant-store.ts'
import { createToken } from '../src/merchants/token-store.ts'
import { addParcels } from './orders/market.ts'
import { type Calls, type LoadResult, runLoad, watchHealth } from './overload/load.ts'
import { queriesWith, variationsOf } from './search/queries.ts'
import { withBenchDatabase } from './support/database.ts'
import { forkServer } from './support/fork-server.ts'
import { printTable, timingOf } from './support/measure.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    stones: { type: 'string', default: '20500' },
    only: { type: 'string', default: '' },
  },
})
const rounds = Number(values.rounds)
const durationMs = Number(values.seconds) * 1000

const MERCHANTS = 20
/** Enough to keep the server busy, but hardly any call is refused. */
const CONNECTIONS = 8
/** A quiet server has this share of the calls that it could answer. */
const QUIET_SHARE = 0.1
const OVERLOAD = 4
const PARCELS = 200
const WARM_UP_MS = 8_000

await withBenchDatabase(async (url) => {
  const database = openDatabase({ url, statementTimeoutMs: 0 })
  await fillMarket(database, Number(values.stones))
  const keys = await createKeys(database)
  const skus = await addParcels(database.db, PARCELS, 10_000_000)
  await database.close()
  const server = await forkServer(new URL('./overload/server.ts', import.meta.url), 'pavilion', url)
  const { port } = server
  const search = { port, path: '/api/v2/diamonds/merchant_search', keys, bodies: searchBodies() }
  const calls: Record<string, Calls> = {
    'searches, compressed as most clients ask for': { ...search, encoding: 'gzip' },
    'searches, not compressed': { ...search, encoding: 'identity' },
    orders: {
      port,
      path: '/api/v2/orders/place',
      keys,
      bodies: orderBodies(skus),
      encoding: 'gzip',
    },
  }
  try {
    for (const [kind, ofKind] of Object.entries(calls)) {
      if (!kind.startsWith(values.only)) continue
      const measured: Round[] = []
      await runLoad({ ...ofKind, connections: CONNECTIONS, durationMs: WARM_UP_MS })
      for (let round = 0; round < rounds; round++) measured.push(await measureRound(ofKind))
      report(kind, measured)
    }
  } finally {
    server.process.kill()
  }
})

interface Round {
  capacity: number
  quietP99Ms: number
  overload: LoadResult
  healthMs: number
}

async function measureRound(calls: Calls): Promise<Round> {
  const closed = await runLoad({ ...calls, connections: CONNECTIONS, durationMs })
  const capacity = closed.accepted.length / closed.seconds
  const quiet = await runLoad({ ...calls, rate: capacity * QUIET_SHARE, durationMs })
  const health = watchHealth(calls.port)
  const overload = await runLoad({ ...calls, rate: capacity * OVERLOAD, durationMs })
  const healthMs = await health.stop()
  return { capacity, quietP99Ms: p99Of(quiet.accepted), overload, healthMs }
}

function p99Of(times: number[]): number {
  return times.length > 0 ? timingOf(times).p99 : 0
}

function report(kind: string, measured: Round[]): void {
  console.log(`\n${kind}`)
  printTable(
    [
      'round',
      'capacity/s',
      'sent/s',
      'answered / capacity',
      'quiet p99 ms',
      'p99 / quiet',
      'first second',
      'refused p99 ms',
      'first second',
      '/healthz max ms',
      'failed',
    ],
    measured.map(({ capacity, quietP99Ms, overload, healthMs }, round) => {
      const { accepted, refused, first, failed, unsent, seconds } = overload
      const sent = accepted.length + refused.length + failed
      return [
        String(round + 1),
        capacity.toFixed(0),
        `${(sent / seconds).toFixed(0)}${unsent > 0 ? ` (${unsent} not sent)` : ''}`,
        (accepted.length / seconds / capacity).toFixed(2),
        quietP99Ms.toFixed(1),
        (p99Of(accepted) / quietP99Ms).toFixed(1),
        (p99Of(first.accepted) / quietP99Ms).toFixed(1),
        p99Of(refused).toFixed(1),
        p99Of(first.refused).toFixed(1),
        healthMs.toFixed(1),
        String(failed),
      ]
    }),
  )
}

async function fillMarket(database: Database, stones: number): Promise<void> {
  const publicUrl = 'http://bench.example'
  await createDemoMarket(database, { realm: 'live', stones, seed: 1, publicUrl })
}

async function createKeys({ db }: Database): Promise<string[]> {
  const keys: string[] = []
  for (let count = 0; count < MERCHANTS; count++) {
    const { uuid } = await createMerchant(db, {
      email: `bench-${count}@shop.example`,
      legal_dba: `Bench Shop ${count}`,
      country_code: 'US',
    })
    const request = { realm: 'live', type: 'api_key', merchant_uuid: uuid } as const
    keys.push((await createToken(db, request)).token)
  }
  return keys
}

/** No page is sent again: that costs hardly more than a refusal. */
function searchBodies(): string[][] {
  const searches = variationsOf(Object.values(queriesWith([])).slice(0, 6))
  const perMerchant = searches.length / MERCHANTS
  return Array.from({ length: MERCHANTS }, (_, merchant) =>
    searches
      .slice(merchant * perMerchant, (merchant + 1) * perMerchant)
      .map((query) => JSON.stringify(query)),
  )
}

/** Each merchant orders other parcels, so that none waits for the row lock of another. */
function orderBodies(skus: string[]): string[][] {
  const perMerchant = PARCELS / MERCHANTS
  return Array.from({ length: MERCHANTS }, (_, merchant) =>
    skus
      .slice(merchant * perMerchant, (merchant + 1) * perMerchant)
      .map((sku) => JSON.stringify({ order_type: 'invoice', line_items: [{ sku, quantity: 1 }] })),
  )
}
