import type { Static } from 'typebox'
import { pricedFrom, renderStone } from '../../../gems/gem-rendering.ts'
import { amountFrom } from '../../../lib/money.ts'
import { isoOrNull, isoWithOffset } from '../../../lib/timestamps.ts'
import type { Merchant } from '../../../merchants/merchant.ts'
import { actorOf } from '../../../merchants/token-audit.ts'
import { priceListOf } from '../../../pricing/price-list.ts'
import {
  type ChosenStone,
  isOnSale,
  readChosen,
} from '../../../saved-searches/selections/chosen-stones.ts'
import {
  listWatched,
  unwatchStone,
  WATCHED_MAX,
  type WatchedStone,
  watchStones,
} from '../../../saved-searches/selections/watched.ts'
import { write } from '../../request/acting.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, merchantOf, merchantWith } from '../../route.ts'
import { StoneParams } from '../../schemas/inventory.ts'
import { pageOf, Removed } from '../../schemas/page.ts'
import { WatchBody, WatchedList, WatchedQuery, WatchedSchema } from '../../schemas/stock/watched.ts'
import type { Services } from '../../services.ts'

const tags = ['Watched Stones']
const writing = { access: merchantWith('orders:write') } as const

type Rendered = Static<typeof WatchedSchema>

/** Stones that a merchant watches; `selections/watch-changes.ts` tells of what happens to them. */
export function registerWatched(app: App, services: Services): void {
  const { db } = services

  app.get(
    '/api/v3/watched',
    {
      config: { access: merchantWith('search'), conditional: true },
      schema: {
        tags,
        summary: 'Lists the stones that the merchant watches, with what became of them',
        description: 'The last marked first. A stone that is sold or withdrawn stays in the list.',
        querystring: WatchedQuery,
        response: { 200: pageOf('WatchedPage', 'watched', WatchedSchema) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query
      const merchant = merchantOf(request)
      const { watched, total } = await listWatched(db, merchant.uuid, request.query)
      return { watched: await renderAll(services, merchant, watched), total, offset, limit }
    },
  )

  app.post(
    '/api/v3/watched',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Watches stones',
        description:
          `A merchant may watch ${WATCHED_MAX} stones; more are 409. The event \`watch.change\` ` +
          'tells when one changes its price, is sold or withdrawn, or is on sale again. A stone ' +
          'that is watched already stays as it is. See /docs/watch-list.',
        body: WatchBody,
        response: { 201: WatchedList },
      },
    },
    async (request, reply) => {
      const merchant = merchantOf(request)
      const { name } = actorOf(request.caller.token)
      return writeOnce(db, request, reply, 201, async (tx) => {
        const watched = await watchStones(tx, merchant, request.body.skus, name)
        return { watched: await renderAll({ ...services, db: tx }, merchant, watched) }
      })
    },
  )

  app.delete(
    '/api/v3/watched/:sku',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Watches a stone no more',
        params: StoneParams,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      await write(db, request, (tx) => unwatchStone(tx, merchantOf(request), request.params.sku))
      return reply.code(204).send(null)
    },
  )
}

type Reading = Pick<Services, 'diamonds' | 'publicUrl' | 'clock'> & {
  db: Parameters<typeof readChosen>[0]
}

async function renderAll(
  services: Reading,
  merchant: Merchant,
  watched: readonly WatchedStone[],
): Promise<Rendered[]> {
  const { db, diamonds, clock, publicUrl } = services
  const skus = watched.map(({ sku }) => sku)
  const viewer = { list: priceListOf(merchant), nowMs: clock.now() }
  const bySku = new Map((await readChosen(db, skus, viewer)).map((stone) => [stone.sku, stone]))
  const { currency_code } = merchant
  const rules = {
    diamond: await diamonds.rules.get(merchant, currency_code, 'diamond'),
    gemstone: await diamonds.rules.get(merchant, currency_code, 'gemstone'),
  }
  return watched.map((row) => {
    const chosen = bySku.get(row.sku)
    const { sku, created_by, created_on, back_on } = row
    return {
      sku,
      ...(chosen ? present(chosen, row) : GONE),
      currency_code,
      back_on: isoOrNull(back_on),
      created_by,
      created_on: isoWithOffset(created_on),
    }
  })

  function present(chosen: ChosenStone, { wholesale_price }: WatchedStone) {
    const { gem, status } = chosen
    const own = rules[gem.product_type === 'gemstone' ? 'gemstone' : 'diamond']
    const then = { ...gem, wholesale_price, wholesale_price_us: wholesale_price }
    const priceOf = (priced: typeof gem) => {
      const terms = pricedFrom(priced, own)
      return {
        wholesale_price: amountFrom(terms.wholesale_price),
        retail_price: amountFrom(terms.retail_price),
      }
    }
    return {
      stone: renderStone(gem, publicUrl) as unknown as Rendered['stone'],
      status,
      price_then: priceOf(then),
      price_now: isOnSale(chosen) ? priceOf(gem) : null,
    }
  }
}

const GONE = { stone: null, status: 'withdrawn', price_then: null, price_now: null } as const
