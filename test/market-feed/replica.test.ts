import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPavilion } from '../support/command-line.ts'
import { query } from '../support/postgres.ts'
import { startReplicated } from '../support/replicated.ts'
import { indexed } from '../support/stocked.ts'
import { type FollowedMarket, KINDS, openFollowedMarket } from './followed-market.ts'

let databases: Awaited<ReturnType<typeof startReplicated>>
const opened: FollowedMarket[] = []

beforeAll(async () => {
  databases = await startReplicated()
  const market = await openNode(undefined)
  await market.listStones('Diamonds', [
    { stock: 'A', perCarat: 5_000 },
    { stock: 'B', perCarat: 6_000 },
  ])
  await market.listGemstones('Ratna', [{ stock: 'G', perCarat: 900 }])
  await market.listPieces('Ratna', [{ stock: 'P', parent: 'P0', price: 700, quantity: 3 }])
}, 120_000)

afterAll(async () => {
  for (const market of opened) await market.close()
  await databases.close()
})

/** A node of the market, with merchants of its own. */
async function openNode(replicaUrl = databases.replicaUrl as string | undefined) {
  const clone = { url: databases.url, drop: async () => {} }
  const market = await openFollowedMarket(replicaUrl ? { replicaUrl } : {}, { clone })
  opened.push(market)
  await indexed(market)
  await market.app.services.showroom.current()
  return market
}

const counts = (market: FollowedMarket) => market.app.services.bulk.counts()

async function shown(market: FollowedMarket): Promise<(string | undefined)[]> {
  const { products } = await market.snapshot(market.us.key, KINDS)
  return [...products.values()].map((product) => JSON.stringify(product)).toSorted()
}

describe('a node with a replica', () => {
  it('loads its indexes and sends its snapshots from it', async () => {
    const market = await openNode()
    expect(counts(market)).toEqual({ replica: 3, primary: 0 })
    const { merchant, key } = market.us
    const { sequence, products } = await market.snapshot(key, KINDS)
    expect(products.size).toBeGreaterThan(3)
    expect(counts(market)).toEqual({ replica: 4, primary: 0 })
    const plain = await openFollowedMarket(
      {},
      { clone: { url: databases.url, drop: async () => {} } },
    )
    opened.push(plain)
    const { token } = await plain.token({ merchant_uuid: merchant.uuid })
    const fromPrimary = await plain.snapshot(token, KINDS)
    expect(fromPrimary.products).toEqual(products)
    expect((await market.changes(key, sequence, KINDS)).changes).toEqual([])
  })

  it('waits until the replica has what was committed', async () => {
    const market = await openNode()
    await databases.pause()
    await market.listStones('Late', [{ stock: 'L', perCarat: 7_000 }])
    const taken = shown(market)
    await expect.poll(() => checksOf(databases.replicaUrl)).toBeGreaterThan(0)
    await databases.resume()
    expect((await taken).join()).toContain('"base_wholesale_price":7070')
    expect(counts(market)).toEqual({ replica: 4, primary: 0 })
  })

  it('reads from the primary when the replica stays behind, and says how far it is', async () => {
    const market = await openNode()
    await databases.pause()
    try {
      await market.listStones('Behind', [{ stock: 'H', perCarat: 8_000 }])
      expect((await shown(market)).join()).toContain('"base_wholesale_price":8080')
      expect(counts(market)).toEqual({ replica: 3, primary: 1 })
      const { text } = await market.call('GET', '/metrics')
      expect(text).toMatch(/^pavilion_bulk_reads\{server="primary"\} 1$/m)
      expect(text).toMatch(/^pavilion_replica_usable 1$/m)
      expect(text).toMatch(/^pavilion_replica_behind_changes [1-9]\d*$/m)
    } finally {
      await databases.resume()
    }
  })

  it('reads from the primary when the other server was promoted, which doctor says', async () => {
    const env = { DATABASE_URL: databases.url, REPLICA_DATABASE_URL: databases.replicaUrl }
    const before = await runPavilion(['doctor', '--json'], env)
    expect(replicaIn(before.stdout)).toMatchObject({ ok: true })
    await databases.promoteReplica()
    const market = await openNode()
    expect(counts(market)).toEqual({ replica: 0, primary: 3 })
    const { stdout } = await runPavilion(['doctor', '--json'], env)
    expect(replicaIn(stdout)).toEqual({
      check: 'replica',
      ok: false,
      detail: 'is not a standby; indexes are loaded from the primary (REPLICA_DATABASE_URL)',
    })
  })

  it('reads from the primary when the replica is gone', async () => {
    await databases.killReplica()
    const market = await openNode()
    expect(counts(market)).toEqual({ replica: 0, primary: 3 })
    expect((await shown(market)).length).toBeGreaterThan(5)
  })
})

async function checksOf(url: string): Promise<number> {
  const text = `select from pg_stat_activity where application_name = 'pavilion replica check'`
  return (await query(url, text)).length
}

function replicaIn(stdout: string): unknown {
  const { findings } = JSON.parse(stdout) as { findings: { check: string }[] }
  return findings.find(({ check }) => check === 'replica')
}
