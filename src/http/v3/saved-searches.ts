import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Tx } from '../../database/open.ts'
import { amountFrom, centsFrom } from '../../lib/money.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import {
  changeSearch,
  lockSearch,
  removeSearch,
  saveSearch,
} from '../../saved-searches/save-search.ts'
import { filtersOf, type SavedSearch } from '../../saved-searches/saved-search.ts'
import { getSearch, listSearches } from '../../saved-searches/saved-search-store.ts'
import { COSTS } from '../request/call-costs.ts'
import { writeOnce } from '../request/idempotency.ts'
import { withEtag, writeIfMatch } from '../request/if-match.ts'
import { checkerOf } from '../request/validation.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { pageOf, Removed } from '../schemas/page.ts'
import {
  FILTER_BODIES,
  RUN_BODIES,
  type RunBody,
  SavedSearchBody,
  SavedSearchPatch,
  SavedSearchQuery,
  SavedSearchResult,
  SavedSearchRun,
  SavedSearchSchema,
} from '../schemas/stock/saved-searches.ts'
import type { Services } from '../services.ts'
import { sendDiamondsV3 } from '../shared/diamonds.ts'
import { sendGemstones } from './gemstones.ts'

const reading = { access: merchantWith('search') } as const
// Someone who may only look at the market changes nothing that others of the merchant rely on.
const writing = { access: merchantWith('orders:write'), hasEtag: true } as const
const tags = ['Saved Searches']
const params = inlineObject({ uuid: uuid('UUID of the saved search') })
const checkFilters = {
  diamond: checkerOf(FILTER_BODIES.diamond),
  gemstone: checkerOf(FILTER_BODIES.gemstone),
}
const checkRun = {
  diamond: checkerOf(RUN_BODIES.diamond),
  gemstone: checkerOf(RUN_BODIES.gemstone),
}

/** Searches that a merchant keeps; the matcher in the background tells of stones that match. */
export function registerSavedSearches(app: App, services: Services): void {
  const { db } = services
  const indexes = { diamond: services.diamonds.index, gemstone: services.gemstones.index }

  app.get(
    '/api/v3/saved_searches',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: "Lists the merchant's saved searches, oldest first",
        querystring: SavedSearchQuery,
        response: { 200: pageOf('SavedSearchPage', 'saved_searches', SavedSearchSchema) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query
      const { searches, total } = await listSearches(db, merchantOf(request).uuid, request.query)
      return { saved_searches: searches.map(renderSearch), total, offset, limit }
    },
  )

  app.post(
    '/api/v3/saved_searches',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Saves a search, with alerts if wanted',
        description:
          'A merchant may save 100 searches; one more is 409. Alerts are events `search.match` ' +
          'about stones that start to match; /docs/saved-searches says when.',
        body: SavedSearchBody,
        response: { 201: SavedSearchSchema },
      },
    },
    (request, reply) => {
      const { alert = 'off', max_retail_price = null, ...fields } = request.body
      checkFilters[fields.kind]({ filters: fields.filters })
      const search = { ...fields, alert, max_retail_price: digitsOf(max_retail_price) }
      return writeOnce(db, request, reply, 201, async (tx) =>
        withEtag(reply, renderSearch(await saveSearch(tx, indexes, merchantOf(request), search))),
      )
    },
  )

  app.get(
    '/api/v3/saved_searches/:uuid',
    {
      config: { ...reading, hasEtag: true, conditional: true },
      schema: {
        tags,
        summary: 'Returns one saved search',
        params,
        response: { 200: SavedSearchSchema },
      },
    },
    async (request, reply) => withEtag(reply, renderSearch(await ownSearch(request))),
  )

  app.patch(
    '/api/v3/saved_searches/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Changes a saved search',
        description:
          'With other filters, another price or another alert it begins again: what it finds ' +
          'then raises no alert.',
        params,
        body: SavedSearchPatch,
        response: { 200: SavedSearchSchema },
      },
    },
    async (request, reply) => {
      const { max_retail_price, ...change } = request.body
      const { uuid: own, kind } = await ownSearch(request)
      if (change.filters !== undefined) checkFilters[kind]({ filters: change.filters })
      const limit = max_retail_price !== undefined && {
        max_retail_price: digitsOf(max_retail_price),
      }
      const merchant = merchantOf(request)
      const changed = await writeIfMatch(db, request, lockedSearch(merchant, own), (tx) =>
        changeSearch(tx, indexes, merchant, own, { ...change, ...limit }),
      )
      return withEtag(reply, renderSearch(changed))
    },
  )

  app.delete(
    '/api/v3/saved_searches/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Deletes a saved search, and alerts that were not raised yet',
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const merchant = merchantOf(request)
      const { uuid: own } = request.params
      await writeIfMatch(db, request, lockedSearch(merchant, own), (tx) =>
        removeSearch(tx, merchant, own),
      )
      return reply.code(204).send(null)
    },
  )
  registerRun(app, services, ownSearch)

  function ownSearch(request: FastifyRequest & { params: { uuid: string } }) {
    return getSearch(db, request.params.uuid, merchantOf(request).uuid)
  }
}

function lockedSearch(merchant: Merchant, uuid: string) {
  return async (tx: Tx) => renderSearch(await lockSearch(tx, merchant, uuid))
}

function registerRun(
  app: App,
  services: Services,
  ownSearch: (request: FastifyRequest & { params: { uuid: string } }) => Promise<SavedSearch>,
): void {
  app.post(
    '/api/v3/saved_searches/:uuid/run',
    {
      config: { ...reading, cost: COSTS.search, countsAsSearch: true, changesNothing: true },
      schema: {
        tags,
        summary: "Runs a saved search at the merchant's prices",
        description: 'Returns what the search of its kind returns, a page at a time.',
        params,
        body: SavedSearchRun,
        response: { 200: SavedSearchResult },
      },
    },
    async (request, reply) => {
      const search = await ownSearch(request)
      const merchant = merchantOf(request)
      const page = { ...request.body }
      checkRun[search.kind](page)
      const asked = { ...(page as RunBody), filters: filtersOf(search) }
      const send = search.kind === 'diamond' ? sendDiamondsV3 : sendGemstones
      return send(reply, services, merchant, asked) ?? reply
    },
  )
}

function renderSearch(search: SavedSearch): Static<typeof SavedSearchSchema> {
  const { uuid: id, name, kind, filters, alert, max_retail_price, created_on, updated_on } = search
  return {
    uuid: id,
    name,
    kind,
    filters,
    alert,
    max_retail_price: max_retail_price === null ? null : amountFrom(centsFrom(max_retail_price)),
    created_on: isoWithOffset(created_on),
    updated_on: isoWithOffset(updated_on),
  }
}

/** The schema allows two decimals. */
function digitsOf(amount: number | null): string | null {
  return amount === null ? null : amount.toFixed(2)
}
