import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { addParcels } from '../../bench/orders/market.ts'
import { migrate } from '../../src/database/migrate.ts'
import type { Db } from '../../src/database/open.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { startPavilion } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { killPostgres, killServer, withMarket } from './crash-support.ts'

/** A response to a call: an order, a quote or a return. */
export interface StoryBody {
  uuid: string
  line_items: { uuid: string }[]
}

export type StoryCall = (by: 'buyer' | 'operator', path: string, body: object) => Promise<StoryBody>

const CLIENTS = 4
/** Before the next kill, so many more stories have come to their end. */
const STORIES_BETWEEN = 3

export const PARCEL_QUANTITY = 100_000

interface StoriesRun {
  /** What the market needs besides a merchant and a parcel. */
  prepare: (db: Db) => Promise<unknown>
  /** A number of calls, each of which depends on the one before. */
  story: (call: StoryCall, sku: string) => Promise<void>
}

/**
 * Clients repeat a story on a real server, which is killed with -9 at random moments, as its
 * PostgreSQL is. They repeat each call, with its key, until they get a response. Returns how many
 * stories came to their end, and the folder of the stopped market.
 */
export async function runStories({ prepare, story }: StoriesRun) {
  const folder = mkdtempSync(join(tmpdir(), 'pavilion-stories-'))
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { keys, sku } = await prepareMarket(folder, prepare)
  const settings = { PAVILION_DATA: folder, PAVILION_DEMO: 'off', PORT: String(await freePort()) }
  let server = await startPavilion(settings)
  const stories = startStories(server.address, keys, (call) => story(call, sku))
  for (const target of ['api', 'postgres', 'api'] as const) {
    await stories.untilMore(STORIES_BETWEEN)
    await sleep(Math.random() * 200)
    if (target === 'api') server = await killServer(server, settings)
    else await killPostgres(folder)
  }
  await stories.untilMore(STORIES_BETWEEN)
  const heard = await stories.stop()
  await server.stop()
  return { folder, ...heard }
}

function prepareMarket(folder: string, prepare: StoriesRun['prepare']) {
  return withMarket(folder, async ({ db }) => {
    await migrate(db)
    const { uuid: merchant_uuid } = await createMerchant(db, {
      email: 'crash@shop.example',
      legal_dba: 'Crash Shop',
      country_code: 'US',
    })
    const buyer = await createToken(db, { realm: 'live', type: 'api_key', merchant_uuid })
    const operator = await createToken(db, { realm: 'live', type: 'admin' })
    const [sku] = await addParcels(db, 1, PARCEL_QUANTITY)
    await prepare(db)
    return { keys: { buyer: buyer.token, operator: operator.token }, sku }
  })
}

function startStories(
  address: string,
  keys: Record<'buyer' | 'operator', string>,
  story: (call: StoryCall) => Promise<void>,
) {
  let stopping = false
  let finished = 0
  let repeated = 0

  const call: StoryCall = async (by, path, body) => {
    const headers = {
      authorization: `Bearer ${keys[by]}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    }
    for (;;) {
      const answer = await callOnce(`${address}${path}`, headers, JSON.stringify(body))
      if (answer) return answer
      repeated++
      await sleep(50)
    }
  }

  const client = async () => {
    while (!stopping) {
      await story(call)
      finished++
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, client))
  // A failed story is reported by `stop`.
  running.catch(() => {})
  return {
    async untilMore(count: number) {
      const enough = finished + count
      await Promise.race([running, untilTrue(() => finished >= enough)])
    },
    async stop() {
      stopping = true
      await running
      return { finished, repeated }
    },
  }
}

/** Returns undefined when the call must be repeated. */
async function callOnce(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<StoryBody | undefined> {
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(
    () => undefined,
  )
  const text = await response?.text().catch(() => undefined)
  if (!response || text === undefined) return undefined
  if (response.ok) return JSON.parse(text) as StoryBody
  // Nothing but an outage is an answer here: no step may find its work done by another.
  if (response.status === 503 || text.includes('idempotency_key_in_use')) return undefined
  throw new Error(`${url}: ${text}`)
}

async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(10)
}
