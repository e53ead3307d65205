import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { during, percentile } from './orders/market.ts'
import { startMedusa } from './peers/medusa.ts'
import { startPavilionPeer } from './peers/pavilion.ts'
import type { Market, Peer } from './peers/peer.ts'
import { drawParcels, drawStones } from './peers/products.ts'
import { startVendure } from './peers/vendure.ts'
import { withBenchDatabase } from './support/database.ts'
import { load } from './support/load.ts'
import { printTable } from './support/measure.ts'

/**
 * Pavilion beside Vendure and Medusa with the same products: import, searches, orders, and 50
 * buyers for one stone. Each runs as in production on the same PostgreSQL, one after the other,
 * and is called over HTTP. Vendure and Medusa are installed from the npm registry into temporary
 * folders; one that cannot be installed or started is reported and left out.
 *
 *     npx tsx bench/peers.ts [products]      20,000 unless given
 *     npx tsx bench/peers.ts [products] --keep folder     installs once, for several runs
 */
const { values: options, positionals } = parseArgs({
  options: { keep: { type: 'string' } },
  allowPositionals: true,
})
const PRODUCTS = Number(positionals[0] ?? 20_000)
const CONNECTIONS = 8
const BUYERS = 50
const ROUNDS = 5
const WARM_UP_MS = 5_000
const DURATION_MS = 5_000

const SEARCHES: Record<keyof Peer['searches'], string> = {
  byShapeAndColor: 'searches by shape and colour',
  byCertificate: 'searches by certificate',
  first: 'first pages of the market',
}

type Start = (url: string, market: Market, kept?: string) => Promise<Peer>
const PEERS: Record<string, Start> = {
  Pavilion: startPavilionPeer,
  Vendure: startVendure,
  Medusa: startMedusa,
}

interface Figures {
  version: string
  perSecond: Record<string, number>
  p50Ms: Record<string, number>
  /** Orders of the one stone, in each round. */
  sold: number[]
  raceMs: number
}

await withBenchDatabase(async (url) => {
  console.log(`${cpus().length} cores, Node ${process.version}, ${PRODUCTS} products`)
  const market = { stones: drawStones(PRODUCTS), parcels: drawParcels(CONNECTIONS) }
  const found: Record<string, Figures> = {}
  for (const [name, start] of Object.entries(PEERS)) {
    try {
      const own = name === 'Pavilion' ? url : await createDatabase(url, name.toLowerCase())
      const kept = options.keep && join(options.keep, name.toLowerCase())
      found[name] = await measurePeer(name, await start(own, market, kept), market)
      console.log(`${name}: ${JSON.stringify(found[name])}`)
    } catch (error) {
      console.log(`${name} is left out: ${String(error).slice(0, 2_000)}`)
    }
  }
  report(found)
})

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

async function measurePeer(name: string, peer: Peer, market: Market): Promise<Figures> {
  try {
    console.log(`${name} ${peer.version} is filled in ${peer.importSeconds.toFixed(1)} s`)
    const perSecond: Record<string, number> = {
      'products imported': PRODUCTS / peer.importSeconds,
    }
    const p50Ms: Record<string, number> = {}
    for (const [search, request] of Object.entries(peer.searches)) {
      const options = { port: peer.port, connections: CONNECTIONS, ...request }
      await load({ ...options, durationMs: WARM_UP_MS })
      const { requestsPerSecond } = await load({ ...options, durationMs: DURATION_MS })
      const alone = await load({ ...options, connections: 1, durationMs: DURATION_MS })
      perSecond[SEARCHES[search as keyof typeof SEARCHES]] = requestsPerSecond
      p50Ms[SEARCHES[search as keyof typeof SEARCHES]] = alone.p50Ms
    }
    perSecond['orders of 8 clients'] = await measureOrders(peer, market)
    const race = await measureRace(peer, market)
    return { version: peer.version, perSecond, p50Ms, ...race }
  } finally {
    await peer.close()
  }
}

async function measureOrders(peer: Peer, { parcels }: Market): Promise<number> {
  const order = async (client: number) => {
    const finish = await peer.prepareOrder(parcels[client].sku)
    if (!(await finish())) throw new Error('an order of a parcel was refused')
  }
  await during(CONNECTIONS, WARM_UP_MS, order)
  return (await during(CONNECTIONS, DURATION_MS, order)).perSecond
}

/** The buyers are ready to pay, and do it at the same moment. */
async function measureRace(peer: Peer, { stones }: Market) {
  const sold: number[] = []
  const times: number[] = []
  for (const { sku } of stones.slice(0, ROUNDS)) {
    const buyers: (() => Promise<boolean>)[] = []
    while (buyers.length < BUYERS) buyers.push(await peer.prepareOrder(sku))
    const startMs = performance.now()
    const answers = await Promise.all(buyers.map((buy) => buy().catch(() => false)))
    times.push(performance.now() - startMs)
    sold.push(answers.filter(Boolean).length)
  }
  return { sold, raceMs: percentile(times, 0.5) }
}

function report({ Pavilion: own, ...others }: Record<string, Figures>): void {
  if (!own) return
  const names = Object.keys(others)
  const header = (unit: string) => [
    unit,
    `Pavilion ${own.version}`,
    ...names.flatMap((name) => [`${name} ${others[name].version}`, 'ratio']),
  ]
  const rowsOf = (figure: 'perSecond' | 'p50Ms', ratioOf: (own: number, its: number) => number) =>
    Object.entries(own[figure]).map(([name, value]) => [
      name,
      shown(value),
      ...names.flatMap((other) => {
        const its = others[other][figure][name]
        return [shown(its), `${shown(ratioOf(value, its))} x`]
      }),
    ])
  printTable(
    header('per second'),
    rowsOf('perSecond', (mine, its) => mine / its),
  )
  printTable(
    header('p50 of one client, ms'),
    rowsOf('p50Ms', (mine, its) => its / mine),
  )
  for (const [name, { sold, raceMs }] of Object.entries({ Pavilion: own, ...others })) {
    console.log(
      `${BUYERS} buyers for one stone, ${name}: ${sold.join(', ')} orders in ${sold.length} ` +
        `rounds, all answered after ${raceMs.toFixed(0)} ms (p50)`,
    )
  }
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2)
}
