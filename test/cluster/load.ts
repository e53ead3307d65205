import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeError, post } from './calls.ts'
import type { Lab } from './lab.ts'
import { until } from './until.ts'

/** An order that a client was told of. */
export interface Acknowledged {
  uuid: string
  sku: string
  quantity: number
  /** By `performance.now()`. */
  atMs: number
}

/** When it was sent and answered, by `performance.now()`. */
interface AnsweredOrder {
  address: string
  sent: number
  answered: number
}

export interface Load {
  orders: Acknowledged[]
  /** Orders that were refused with 503 and Retry-After, until they were repeated with success. */
  refused(): number
  /** When searches were answered, of each node. */
  searchedAtMs: number[][]
  /** When an order was sent and answered, also with a refusal. */
  answeredMs: AnsweredOrder[]
  /** What must not happen. */
  faults: string[]
  /** While a node or haproxy is down, calls to it may fail without an answer. */
  tolerate(addresses: readonly string[]): void
  /** Resolves after so many more orders. */
  ordered(count: number): Promise<void>
  /** Stops ordering and resolves when every order that was sent has been acknowledged. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

interface LoadOptions {
  clients: number
  /** Between two orders and between two searches of a client. */
  pauseMs: number
}

/**
 * Clients order single stones, which others may order at the same moment, and parts of parcels, and
 * repeat every order with its key at another node until they have an answer. Meanwhile every node
 * and haproxy are searched.
 */
export function startLoad(lab: Lab, { clients, pauseMs }: LoadOptions): Load {
  const addresses = [...lab.nodes.map(({ address }) => address), lab.frontAddress]
  const state = newState(addresses)
  let isStopping = false
  let isPaused = false
  let ordering = 0

  async function client(): Promise<void> {
    while (!isStopping) {
      if (!isPaused) {
        ordering++
        await order(lab, addresses, state).finally(() => ordering--)
      }
      await sleep(pauseMs)
    }
  }

  async function searcher(index: number): Promise<void> {
    while (!isStopping) {
      await search(lab, addresses[index], state, state.searchedAtMs[index])
      await sleep(pauseMs)
    }
  }

  const running = Promise.all([
    ...Array.from({ length: clients }, client),
    ...addresses.map((_, index) => searcher(index)),
  ])
  return {
    ...state,
    refused: () => state.refusals.count,
    tolerate: (some) => {
      state.tolerated.clear()
      for (const address of some) state.tolerated.add(address)
    },
    async ordered(count) {
      const wanted = state.orders.length + count
      await until(() => state.orders.length >= wanted, `${count} more orders are acknowledged`)
    },
    async pause() {
      isPaused = true
      await until(() => ordering === 0, 'every order is acknowledged')
    },
    resume() {
      isPaused = false
    },
    async stop() {
      isStopping = true
      await running
    },
  }
}

function newState(addresses: readonly string[]) {
  return {
    orders: [] as Acknowledged[],
    refusals: { count: 0 },
    searchedAtMs: addresses.map((): number[] => []),
    answeredMs: [] as AnsweredOrder[],
    faults: [] as string[],
    tolerated: new Set<string>(),
  }
}

type LoadState = ReturnType<typeof newState>

const REPEAT_MS = 200

/** Orders something, and repeats the order until it is known whether it was placed. */
async function order(lab: Lab, addresses: readonly string[], state: LoadState): Promise<void> {
  const isStone = Math.random() < 0.5
  const sku = pick(isStone ? lab.market.stones : lab.market.parcels)
  const quantity = isStone ? 1 : 1 + Math.floor(Math.random() * 3)
  const body = { order_type: 'invoice', line_items: [{ sku, quantity }] }
  const key = randomUUID()
  for (;;) {
    const address = pick(addresses)
    const tolerated = state.tolerated.has(address)
    const sent = performance.now()
    try {
      const answer = await post(lab, { address, path: '/api/v2/orders/place', key, body })
      state.answeredMs.push({ address, sent, answered: performance.now() })
      const { uuid, code } = answer.body as { uuid?: string; code?: string }
      if (answer.status === 200 && uuid) {
        state.orders.push({ uuid, sku, quantity, atMs: performance.now() })
        return
      }
      if (code === 'sku_unavailable') return
      if (answer.status === 503 && answer.retryAfter !== null) state.refusals.count++
      // Another attempt with this key may still be running, on a node that got no answer yet.
      else if (code !== 'idempotency_key_in_use' && !tolerated) {
        state.faults.push(`an order was answered with ${answer.status} ${code}`)
      }
    } catch (error) {
      if (!tolerated && !state.tolerated.has(address)) {
        state.faults.push(`an order got no answer: ${describeError(error)}`)
      }
    }
    await sleep(REPEAT_MS)
  }
}

async function search(
  lab: Lab,
  address: string,
  state: LoadState,
  answeredAtMs: number[],
): Promise<void> {
  const tolerated = state.tolerated.has(address)
  const from = 1 + Math.random()
  const body = { filters: { weight_min: from, weight_max: from + 0.2 }, limit: 20 }
  const path = '/api/v2/diamonds/merchant_search'
  let fault: string | undefined
  try {
    const { status, body: found } = await post(lab, { address, path, body })
    if (status === 200) answeredAtMs.push(performance.now())
    else fault = `a search was answered with ${status} ${String(found.code)}`
  } catch (error) {
    fault = `a search got no answer: ${describeError(error)}`
  }
  if (fault && !tolerated && !state.tolerated.has(address)) state.faults.push(fault)
}

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)]
}
