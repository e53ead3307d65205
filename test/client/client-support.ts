import type { PavilionError } from '../../client/src/errors.ts'
import { type MarketOptions, pavilion } from '../../client/src/index.ts'
import { addStones, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import { indexed } from '../support/stocked.ts'

export interface ServedMarket extends OrderMarket {
  url: string
  /** A client of the first merchant unless a key is given. */
  client(options?: Partial<MarketOptions>): ReturnType<typeof pavilion>
  stock(count: number, fields?: Parameters<typeof addStones>[2]): Promise<string[]>
}

/** A market that answers on a port. */
export async function openServedMarket(
  options: Parameters<typeof openOrderMarket>[0] = {},
): Promise<ServedMarket> {
  const market = await openOrderMarket(options)
  const url = await market.app.listen({ port: 0, host: '127.0.0.1' })
  return {
    ...market,
    url,
    client: (more = {}) => pavilion({ url, key: market.buyer.key, ...more }),
    async stock(count, fields) {
      const skus = await addStones(market.database.db, count, fields)
      await indexed(market)
      return skus
    },
  }
}

/** The error of a call that must fail. */
export async function errorOf(call: PromiseLike<unknown>): Promise<PavilionError> {
  return await call.then(
    (value) => {
      throw new Error(`succeeded with ${JSON.stringify(value)}`)
    },
    (error) => error,
  )
}

/** A `fetch` whose first calls go wrong: a status, or `lost` after the server has answered. */
export function troubledFetch(...troubles: (number | 'lost' | 'away')[]) {
  const keys: (string | null)[] = []
  const send: typeof fetch = async (input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'))
    const trouble = troubles.shift()
    if (trouble === 'away') throw new TypeError('fetch failed')
    if (typeof trouble === 'number') {
      const body = JSON.stringify({ code: 'from_a_proxy', detail: 'Later' })
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '0' }
      return new Response(body, { status: trouble, headers })
    }
    const response = await fetch(input, init)
    if (trouble !== 'lost') return response
    await response.arrayBuffer()
    throw new TypeError('fetch failed')
  }
  return { fetch: send, keys }
}
