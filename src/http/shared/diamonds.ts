import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { searchCurated } from '../../gems/curation/curated-search.ts'
import { readChangedParcels } from '../../gems/gem-store.ts'
import { onSameLeaves, parcelTree } from '../../gems/parcels.ts'
import {
  nextCursor,
  type PagedRequest,
  type StartedRequest,
  startPage,
} from '../../gems/search/cursor.ts'
import { type FoundDiamonds, searchDiamonds } from '../../gems/search/diamonds.ts'
import { DIAMOND_SEARCH_V3 } from '../../gems/search/field-tables.ts'
import type { SearchTable } from '../../gems/search/fields.ts'
import { joinFields, joinPage } from '../../gems/search/page.ts'
import type { SearchRequest } from '../../gems/search/plan.ts'
import type { SentPage } from '../../gems/search/recent-pages.ts'
import type { StonePart } from '../../gems/search/rendered-stones.ts'
import { renderIncluded } from '../../gems/search/search.ts'
import { sinceFrom } from '../../lib/timestamps.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { wholesaleTermsOf } from '../../pricing/price-adjustment.ts'
import { merchantOf } from '../route.ts'
import type { CurationBody } from '../schemas/curation.ts'
import type { ParcelQuery } from '../schemas/gem-parcel.ts'
import type { Services } from '../services.ts'

/** What differs between the versions of the interface. */
interface SearchVersion {
  /** The filters that it knows. */
  table: SearchTable
  /** The fields of a stone that it shows. */
  part: StonePart
  /** What it says about the page. */
  countsOf: (found: FoundDiamonds, request: StartedRequest) => Record<string, unknown>
}

type AskedPage = PagedRequest & { fields?: readonly string[] }

/**
 * Searches, and sends the page as one Buffer: the gems are bytes already, and what surrounds them
 * is small. While price rules and stones are in memory, nothing is read from the database. A page
 * that was sent before is sent again at once, without a promise: then it returns undefined.
 */
export function sendDiamonds(
  reply: FastifyReply,
  services: Services,
  merchant: Merchant,
  asked: AskedPage,
  version: SearchVersion,
): Promise<void> | undefined {
  const { rules: cache, pages } = services.diamonds
  const key = keyOf(merchant, asked, version)
  const rules = cache.peek(merchant, asked.currency_code)
  const known = rules && key !== undefined ? pages.find(key, rules) : undefined
  if (!known) return makeAndSend(reply, services, merchant, asked, version)
  sendPage(reply, services, known, asked.offset ?? 0)
  return undefined
}

/** A page behind a cursor is read once. */
function keyOf({ uuid }: Merchant, asked: AskedPage, { part }: SearchVersion): string | undefined {
  return asked.cursor === undefined ? `${uuid} ${part} ${JSON.stringify(asked)}` : undefined
}

async function makeAndSend(
  reply: FastifyReply,
  services: Services,
  merchant: Merchant,
  asked: AskedPage,
  version: SearchVersion,
): Promise<void> {
  const { diamonds: search } = services
  const { currency_code, fields } = asked
  const request = await startPage(search.index, merchant, asked)
  const rules =
    search.rules.peek(merchant, currency_code) ?? (await search.rules.get(merchant, currency_code))
  const found = searchDiamonds(search, rules, version.table, request)
  const { page, total } = found
  const [head, tail] = [headOf(found, request), tailOf(found, version.countsOf(found, request))]
  const join = (stones: readonly (Buffer | undefined)[]): SentPage => ({
    bytes: fields
      ? joinFields(page, stones, fields, head, tail)
      : joinPage(page, stones, head, tail),
    compressed: new Map(),
    total,
  })
  const stones = search.stones.peek(page.ids, version.part)
  const made = join(stones ?? (await search.stones.get(page.ids, version.part)))
  // What had to be read may be older than the index, or the index older than it by now.
  const key = stones && keyOf(merchant, asked, version)
  if (key !== undefined) search.pages.keep(key, { rules, version: found.version }, made)
  return sendPage(reply, services, made, request.offset)
}

function sendPage(
  reply: FastifyReply,
  { searches }: Services,
  page: SentPage,
  offset: number,
): FastifyReply {
  // A further page is not another search.
  if (offset === 0) searches.days.count('diamond', page.total)
  reply.sentPage = page
  return reply.header('content-type', 'application/json; charset=utf-8').send(page.bytes)
}

/** `sendDiamonds` for v3, which has more filters and fields, and pages by cursor. */
export function sendDiamondsV3(
  reply: FastifyReply,
  services: Services,
  merchant: Merchant,
  asked: AskedPage,
): Promise<void> | undefined {
  return sendDiamonds(reply, services, merchant, asked, {
    table: DIAMOND_SEARCH_V3,
    part: 'whole',
    countsOf: ({ total, next }, started) => ({
      total,
      offset: started.offset,
      limit: started.limit,
      next_cursor: nextCursor(services.diamonds.index, merchant, started, next),
    }),
  })
}

function headOf({ occurring }: FoundDiamonds, request: SearchRequest): Buffer {
  const filters = {
    cut_code: occurring.cut_code,
    is_fancy: request.filters?.is_fancy === true,
    type: occurring.type,
  }
  return Buffer.from(`{"filters":${JSON.stringify(filters)},"gems":`)
}

function tailOf(found: FoundDiamonds, counts: Record<string, unknown>): Buffer {
  const rest = { ...counts, ...renderIncluded(found) }
  return Buffer.from(`,${JSON.stringify(rest).slice(1)}`)
}

/** Curated search is one operation with two paths; both return the same bytes. */
export async function sendCurated(
  { diamonds, searches }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Static<typeof CurationBody>,
): Promise<FastifyReply> {
  const wanted = { ...body, weight: Number(body.weight) }
  const charge = (templates: number) => request.charge(reply, templates)
  const { bytes, stones } = await searchCurated(diamonds, merchantOf(request), wanted, charge)
  searches.days.count('curated', stones)
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
}

/** Reads the melee parcels in stock as a tree, at the prices of the merchant. */
export async function readParcelFilters(
  { db, parcels, publicUrl }: Services,
  merchant: Merchant,
  { shape, type, updated_since }: Static<typeof ParcelQuery>,
) {
  const since = sinceFrom('updated_since', updated_since)
  const all = await parcels.of(shape, type)
  const rows =
    since === undefined ? all : onSameLeaves(all, await readChangedParcels(db, shape, type, since))
  return { filters: parcelTree(rows, wholesaleTermsOf(merchant, 'diamond'), publicUrl) }
}
