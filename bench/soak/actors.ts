import { setTimeout as pause } from 'node:timers/promises'
import { bodyOf, type Send } from './caller.ts'
import { between } from './chance.ts'
import { callWrongly, hangUp, probe, visitConsole } from './disturbances.ts'
import type { SoakMarket, SoakMerchant } from './market.ts'
import { addWebhook, callAsMerchant, type Shop } from './merchant-calls.ts'
import { callAsOperator, importFile, undoImport } from './operator-calls.ts'

/**
 * Milliseconds between the calls of one client. They add up to a few hundred calls a second: a busy
 * server, but not an overloaded one, which bench/overload is for.
 */
const PAUSE_MS = {
  shop: 60,
  operator: 250,
  import: 3_000,
  undo: 45_000,
  snapshot: 4_000,
  console: 400,
  probe: 500,
  wrong: 80,
  // The server may finish a call that nobody waits for any more, so these add up.
  hangUp: 500,
}

const POLL_SECONDS = 10
/** Each merchant keeps a copy of the market, and restarts it from time to time. */
const POLLS_UNTIL_SNAPSHOT = 500

export interface Running {
  orders: string[]
  /** Resolves when the last call of every client has ended. */
  ended: Promise<unknown>
}

/** Starts all clients; each ends with the first call after `untilMs`. */
export async function startActors(
  send: Send,
  market: SoakMarket,
  webhookUrl: string,
  untilMs: number,
): Promise<Running> {
  const { merchants, adminKey } = market
  const orders: string[] = []
  const repeat = async (pauseMs: number, work: () => Promise<unknown>) => {
    while (performance.now() < untilMs) {
      await pause(Math.min(between(0, 2 * pauseMs), Math.max(0, untilMs - performance.now())))
      await work()
    }
  }
  const shops: Shop[] = []
  for (const merchant of merchants) {
    const webhooks = await addWebhook(send, merchant.keys[0], webhookUrl)
    for (const key of merchant.keys) {
      shops.push({ merchant, key, market, skus: [], holds: [], webhooks, orders })
    }
  }
  const clients = [
    ...shops.map((shop) => repeat(PAUSE_MS.shop, () => callAsMerchant(send, shop))),
    ...merchants.map((merchant) => followMarket(send, merchant, untilMs)),
    repeat(PAUSE_MS.snapshot, () => takeSnapshot(send, merchants[0])),
    repeat(PAUSE_MS.operator, () => callAsOperator(send, adminKey, orders)),
    repeat(PAUSE_MS.import, () => importFile(send, adminKey, 'update')),
    repeat(PAUSE_MS.import, () => importFile(send, adminKey, 'replace')),
    repeat(PAUSE_MS.undo, () => undoImport(send, adminKey)),
    repeat(PAUSE_MS.console, () => visitConsole(send, market)),
    repeat(PAUSE_MS.probe, () => probe(send)),
    repeat(PAUSE_MS.wrong, () => callWrongly(send, market)),
    repeat(PAUSE_MS.hangUp, () => hangUp(send, market)),
  ]
  return { orders, ended: Promise.all(clients) }
}

/** The number of the change log at which the snapshot was taken. */
async function takeSnapshot(send: Send, { keys }: SoakMerchant): Promise<number | undefined> {
  const taken = await send('snapshot', { path: '/api/v3/inventory/snapshot', key: keys[1] })
  if (taken?.status !== 200) return undefined
  return JSON.parse(taken.text.slice(0, taken.text.indexOf('\n'))).sequence
}

/** Keeps a copy of the market: a snapshot, then its changes by long polls. */
async function followMarket(send: Send, merchant: SoakMerchant, untilMs: number): Promise<void> {
  let after: number | undefined
  for (let poll = 0; performance.now() < untilMs; poll++) {
    if (after === undefined || poll % POLLS_UNTIL_SNAPSHOT === 0) {
      after = await takeSnapshot(send, merchant)
    }
    const path = `/api/v3/inventory/changes?after=${after ?? 0}&wait=${POLL_SECONDS}`
    const page = await send('long poll', { path, key: merchant.keys[1] })
    after = bodyOf<{ next: number }>(page)?.next
    // A shop has something to do with what it learned, and several changes come at once.
    await pause(after === undefined ? 1_000 : 100)
  }
}
