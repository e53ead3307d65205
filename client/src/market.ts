import type { Operations } from './api.ts'
import { followEvents, type MarketEvent } from './events.ts'
import type { FollowOptions } from './following.ts'
import {
  type Answer,
  type Find,
  type List,
  type Name,
  operationsOf,
  type Read,
  type ReadOne,
  type Row,
  type Send,
  type SendTo,
  type Settings,
} from './operations.ts'
import { Rows } from './pages.ts'
import { type Call, type CallOptions, createCall, type RequestOptions } from './request.ts'
import { type SyncChange, type SyncOptions, sync } from './sync.ts'

const SEARCH = 'POST /api/v3/diamonds/merchant_search'

export interface MarketOptions extends RequestOptions {
  key: string | (() => string | undefined)
}

/** A market, as a merchant uses it. Every function is one call, and takes its signal last. */
export interface Market {
  diamonds: {
    /** A page when awaited; every stone when iterated. */
    search: Find<typeof SEARCH, 'gems'>
    /** One stone, or one matched pair, for each of your templates. */
    curated: Send<'POST /api/v3/diamonds/get_diamonds_by_merchant_templates'>
    /** Melee in stock. */
    parcels: Read<'GET /api/v3/diamonds/get_parcel_filters'>
  }
  gemstones: { search: Find<'POST /api/v3/gemstones/search', 'gems'> }
  /** The same as `diamonds.search`. */
  search: Find<typeof SEARCH, 'gems'>
  /** All diamonds that match: an array when awaited, one after the other when iterated. */
  searchAll: (
    query?: Operations[typeof SEARCH]['body'],
    settings?: Settings,
  ) => Rows<Row<typeof SEARCH, 'gems'>>
  /** One stone by its SKU, with the history of its price. */
  stone: ReadOne<'GET /api/v3/inventory/gems/{sku}'>
  jewelry: {
    products: Find<'POST /api/v3/products/query', 'products'>
    variants: Find<'POST /api/v3/product_variants/jewelry/query', 'variants'>
    filters: Read<'GET /api/v3/product_filters'>
  }
  orders: {
    place: Send<'POST /api/v3/orders/place'>
    get: ReadOne<'GET /api/v3/orders/{uuid}'>
    list: List<'GET /api/v3/orders/list', 'orders'>
    search: List<'GET /api/v3/orders/search', 'orders'>
    /** All orders: an array when awaited, one after the other when iterated. */
    all: (
      query?: Operations['GET /api/v3/orders/list']['query'],
      settings?: Settings,
    ) => Rows<Row<'GET /api/v3/orders/list', 'orders'>>
    cancel: SendTo<'POST /api/v3/orders/{uuid}/cancel'>
    requestReturn: SendTo<'POST /api/v3/orders/{uuid}/returns'>
    /** The latest document of a kind, such as `invoice`, as a PDF. */
    document: (uuid: string, kind: string, settings?: Settings) => Promise<Blob>
  }
  returns: {
    list: List<'GET /api/v3/returns', 'returns'>
    get: ReadOne<'GET /api/v3/returns/{uuid}'>
  }
  holds: {
    place: Send<'POST /api/v3/inventory/holds'>
    list: List<'GET /api/v3/inventory/holds', 'holds'>
    release: ReadOne<'DELETE /api/v3/inventory/holds/{uuid}'>
  }
  quotes: {
    make: Send<'POST /api/v3/quotes'>
    list: List<'GET /api/v3/quotes', 'quotes'>
    get: ReadOne<'GET /api/v3/quotes/{uuid}'>
    remove: ReadOne<'DELETE /api/v3/quotes/{uuid}'>
  }
  memos: { list: List<'GET /api/v3/memos', 'memos'> }
  savedSearches: {
    list: List<'GET /api/v3/saved_searches', 'saved_searches'>
    save: Send<'POST /api/v3/saved_searches'>
    get: ReadOne<'GET /api/v3/saved_searches/{uuid}'>
    change: SendTo<'PATCH /api/v3/saved_searches/{uuid}'>
    remove: ReadOne<'DELETE /api/v3/saved_searches/{uuid}'>
    run: SendTo<'POST /api/v3/saved_searches/{uuid}/run'>
  }
  webhooks: {
    list: List<'GET /api/v3/webhooks', 'webhooks'>
    add: Send<'POST /api/v3/webhooks'>
    get: ReadOne<'GET /api/v3/webhooks/{uuid}'>
    change: SendTo<'PATCH /api/v3/webhooks/{uuid}'>
    remove: ReadOne<'DELETE /api/v3/webhooks/{uuid}'>
    rotate: SendTo<'POST /api/v3/webhooks/{uuid}/rotate'>
  }
  events: {
    /** The events after a number, oldest first. */
    list: Read<'GET /api/v3/events'>
    /** Every event after a number, and those to come. */
    follow: (options?: FollowOptions) => AsyncGenerator<MarketEvent>
  }
  /** What you owe, what you may take on memo, and what is open. */
  account: Read<'GET /api/v3/account'>
  addresses: Read<'GET /api/v3/merchant_addresses/list'>
  templates: Read<'GET /api/v3/merchant_templates/list'>
  margins: Read<'GET /api/v3/profit_margins/list'>
  /** The whole market, then its changes, for as long as you iterate. */
  sync: (options?: SyncOptions) => AsyncGenerator<SyncChange>
  /** Any operation of the interface, by method and path: `GET /api/v3/orders/{uuid}`. */
  request: <N extends Name>(name: N, options?: CallOptions) => Promise<Answer<N>>
}

/** A client of one market, with one key. */
export function pavilion(options: MarketOptions): Market {
  check(options)
  const call = createCall(options)
  const operations = operationsOf(call)
  return {
    ...stockOf(operations),
    ...tradeOf(operations, call),
    ...settingsOf(operations),
    events: {
      list: operations.read('GET /api/v3/events'),
      follow: (follow) => followEvents(call, follow),
    },
    sync: (options) => sync(call, options),
    request: (name, options = {}) => operations.run(name, options),
  }
}

type OperationFunctions = ReturnType<typeof operationsOf>

function stockOf({ send, read, readOne, find }: OperationFunctions) {
  const search = find(SEARCH, 'gems')
  return {
    diamonds: {
      search,
      curated: send('POST /api/v3/diamonds/get_diamonds_by_merchant_templates'),
      parcels: read('GET /api/v3/diamonds/get_parcel_filters'),
    },
    gemstones: { search: find('POST /api/v3/gemstones/search', 'gems') },
    search,
    searchAll: (...query: Parameters<typeof search>) => new Rows(search(...query)),
    stone: readOne('GET /api/v3/inventory/gems/{sku}'),
    jewelry: {
      products: find('POST /api/v3/products/query', 'products'),
      variants: find('POST /api/v3/product_variants/jewelry/query', 'variants'),
      filters: read('GET /api/v3/product_filters'),
    },
  }
}

function tradeOf({ send, readOne, sendTo, list }: OperationFunctions, call: Call) {
  const orders = list('GET /api/v3/orders/list', 'orders')
  return {
    orders: {
      place: send('POST /api/v3/orders/place'),
      get: readOne('GET /api/v3/orders/{uuid}'),
      list: orders,
      search: list('GET /api/v3/orders/search', 'orders'),
      all: (...query: Parameters<typeof orders>) => new Rows(orders(...query)),
      cancel: sendTo('POST /api/v3/orders/{uuid}/cancel'),
      requestReturn: sendTo('POST /api/v3/orders/{uuid}/returns'),
      document: (uuid: string, kind: string, settings?: Settings) =>
        call<Blob>('GET', '/api/v3/orders/{uuid}/documents/{kind}.pdf', {
          ...settings,
          path: { uuid, kind },
        }),
    },
    returns: {
      list: list('GET /api/v3/returns', 'returns'),
      get: readOne('GET /api/v3/returns/{uuid}'),
    },
    holds: {
      place: send('POST /api/v3/inventory/holds'),
      list: list('GET /api/v3/inventory/holds', 'holds'),
      release: readOne('DELETE /api/v3/inventory/holds/{uuid}'),
    },
    quotes: {
      make: send('POST /api/v3/quotes'),
      list: list('GET /api/v3/quotes', 'quotes'),
      get: readOne('GET /api/v3/quotes/{uuid}'),
      remove: readOne('DELETE /api/v3/quotes/{uuid}'),
    },
    memos: { list: list('GET /api/v3/memos', 'memos') },
  }
}

function settingsOf({ send, read, readOne, sendTo, list }: OperationFunctions) {
  return {
    account: read('GET /api/v3/account'),
    addresses: read('GET /api/v3/merchant_addresses/list'),
    templates: read('GET /api/v3/merchant_templates/list'),
    margins: read('GET /api/v3/profit_margins/list'),
    savedSearches: {
      list: list('GET /api/v3/saved_searches', 'saved_searches'),
      save: send('POST /api/v3/saved_searches'),
      get: readOne('GET /api/v3/saved_searches/{uuid}'),
      change: sendTo('PATCH /api/v3/saved_searches/{uuid}'),
      remove: readOne('DELETE /api/v3/saved_searches/{uuid}'),
      run: sendTo('POST /api/v3/saved_searches/{uuid}/run'),
    },
    webhooks: {
      list: list('GET /api/v3/webhooks', 'webhooks'),
      add: send('POST /api/v3/webhooks'),
      get: readOne('GET /api/v3/webhooks/{uuid}'),
      change: sendTo('PATCH /api/v3/webhooks/{uuid}'),
      remove: readOne('DELETE /api/v3/webhooks/{uuid}'),
      rotate: sendTo('POST /api/v3/webhooks/{uuid}/rotate'),
    },
  }
}

export { pavilion as createClient }

function check({ url, key }: MarketOptions): void {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) {
    throw new TypeError(`url must be the address of a market such as https://gems.example`)
  }
  if (typeof key === 'function' || (typeof key === 'string' && key !== '')) return
  throw new TypeError('key must be an API key of the market, pav_live_… or pav_test_…')
}
