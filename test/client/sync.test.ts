import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SyncChange } from '../../client/src/index.ts'
import { openServedMarket, type ServedMarket } from './client-support.ts'

let market: ServedMarket
let skus: string[]
beforeAll(async () => {
  market = await openServedMarket()
  skus = await market.stock(5)
})
afterAll(() => market.close())

async function take(count: number, changes: AsyncIterable<SyncChange>): Promise<SyncChange[]> {
  const taken: SyncChange[] = []
  for await (const change of changes) {
    taken.push(change)
    if (taken.length === count) break
  }
  return taken
}

async function all(changes: AsyncIterable<SyncChange>): Promise<SyncChange[]> {
  return take(Number.POSITIVE_INFINITY, changes)
}

/** What a shop has after these changes, by the rule of `SyncChange`. */
function copyOf(changes: readonly SyncChange[]): Map<string, unknown> {
  const copy = new Map<string, unknown>()
  for (const { sku, gem } of changes) {
    if (sku === null) copy.clear()
    else if (gem === null) copy.delete(sku)
    else copy.set(sku, gem)
  }
  return copy
}

const onlyExisting = { follow: false } as const

describe('sync', () => {
  it('has the whole market first, of which the last stone can be gone on from', async () => {
    const changes = await all(market.client().sync(onlyExisting))
    expect(changes.map(({ sku }) => String(sku)).toSorted()).toEqual(skus)
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(['snapshot']))
    expect(changes.map(({ resumable }) => resumable)).toEqual([false, false, false, false, true])
    expect(changes[0]).toMatchObject({
      product_type: 'diamond',
      gem: { sku: changes[0].sku },
      sequence: changes[4].sequence,
    })
  })

  it('goes on with the changes, and from a number that was stored', async () => {
    const client = market.client()
    const first = await all(client.sync(onlyExisting))
    const [sold] = await market.stock(1)
    await market.place([sold])
    const after = first.at(-1)?.sequence
    for (const options of [{ after }, { from: after }]) {
      const changes = await all(client.sync({ ...onlyExisting, ...options }))
      expect(changes).toMatchObject([
        { kind: 'new', sku: sold, resumable: true },
        { kind: 'sold', sku: sold, gem: null, sequence: (after ?? 0) + 2, resumable: true },
      ])
      const whole = await all(client.sync(onlyExisting))
      expect(copyOf([...first, ...changes])).toEqual(copyOf(whole))
    }
  })

  it('waits for what happens next, until the signal ends it', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const seen: SyncChange[] = []
    const following = (async () => {
      for await (const change of market.client().sync({ signal })) {
        seen.push(change)
        if (change.kind === 'sold') controller.abort()
      }
    })()
    await expect.poll(() => seen.at(-1)?.resumable, { timeout: 60_000 }).toBe(true)
    const [sku] = await market.stock(1)
    await market.place([sku])
    await following
    expect(seen.slice(-2)).toMatchObject([
      { kind: 'new', sku },
      { kind: 'sold', sku },
    ])
  })

  it('starts over when its number is older than the log', async () => {
    const { db } = market.database
    await db.deleteFrom('change').where('sequence', '<', 3).execute()
    const changes = await all(market.client().sync({ ...onlyExisting, after: 0 }))
    expect(changes[0]).toMatchObject({ kind: 'reset', sku: null, gem: null, resumable: false })
    expect(copyOf(changes)).toEqual(copyOf(await all(market.client().sync(onlyExisting))))
    expect(changes.at(-1)?.resumable).toBe(true)
  })

  it('has the whole market again when all prices changed', async () => {
    const client = market.client()
    const { sequence } = (await all(client.sync(onlyExisting))).at(-1) as SyncChange
    const path = `/api/operator/merchants/${market.buyer.merchant.uuid}`
    const changed = await market.call('PATCH', path, {
      token: market.adminKey,
      body: { price_adjustment: { mined_percent: 10 } },
    })
    expect(changed.status).toBe(200)
    const changes = await all(client.sync({ ...onlyExisting, after: sequence }))
    expect(changes[0]).toMatchObject({ kind: 'prices', sku: null, gem: null, resumable: false })
    expect(changes[1]).toMatchObject({ kind: 'snapshot', sku: expect.any(String) })
    expect(changes.at(-1)?.resumable).toBe(true)
  })

  it('takes another snapshot when one breaks off, and gives up in the end', async () => {
    const cut = async (input: string | URL | Request, init?: RequestInit) => {
      const response = await fetch(input, init)
      if (!response.url.includes('/snapshot')) return response
      const lines = (await response.text()).split('\n')
      return new Response(`${lines.slice(0, 3).join('\n')}\n`, { status: 200 })
    }
    const kinds: string[] = []
    const following = market.client({ fetch: cut }).sync(onlyExisting)
    const reading = (async () => {
      for await (const { kind } of following) kinds.push(kind)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'snapshot_incomplete' })
    expect(kinds.filter((kind) => kind === 'reset')).toHaveLength(2)
  })

  it('frees its snapshot when the reader stops in the middle', async () => {
    for (let count = 0; count < 5; count++) await take(1, market.client().sync())
    expect(await take(1, market.client({ retries: 0 }).sync())).toHaveLength(1)
  })

  it('waits for a server that it has reached before', async () => {
    let reads = 0
    const troubled: typeof fetch = (input, init) => {
      return ++reads === 2 ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)
    }
    const { sequence } = (await all(market.client().sync(onlyExisting))).at(-1) as SyncChange
    const retried: string[] = []
    const following = market.client({ fetch: troubled, retries: 0 }).sync({
      after: sequence,
      onRetry: ({ code }) => retried.push(code),
    })
    const [first] = await market.stock(1)
    expect(await following.next()).toMatchObject({ value: { sku: first } })
    const [second] = await market.stock(1)
    expect(await following.next()).toMatchObject({ value: { sku: second } })
    await following.return(undefined)
    expect(retried).toEqual(['connection_lost'])
  })

  it('waits for a server that goes away during a snapshot', async () => {
    let reads = 0
    const troubled: typeof fetch = async (input, init) => {
      if (++reads === 2) throw new TypeError('fetch failed')
      const response = await fetch(input, init)
      return reads === 1 ? new Response((await response.text()).slice(0, 200)) : response
    }
    const retried: string[] = []
    const client = market.client({ fetch: troubled, retries: 0 })
    const onRetry = ({ code }: { code: string }) => retried.push(code)
    const changes = await all(client.sync({ ...onlyExisting, onRetry }))
    expect(retried).toEqual(['connection_lost'])
    expect(changes[0]).toMatchObject({ kind: 'reset' })
    expect(copyOf(changes)).toEqual(copyOf(await all(market.client().sync(onlyExisting))))
  })
})
