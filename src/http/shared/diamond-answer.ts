import type { FastifyReply } from 'fastify'
import {
  type DiamondSearch,
  type FoundDiamonds,
  searchDiamonds,
} from '../../gems/search/diamonds.ts'
import { joinPage } from '../../gems/search/page.ts'
import type { SearchRequest } from '../../gems/search/plan.ts'
import type { Merchant } from '../../merchants/merchant.ts'

/**
 * Searches, and sends the page as one Buffer: the gems are bytes already, and what surrounds them
 * is small. `countsOf` renders what the version of the interface says about the page. While price
 * rules and stones are in memory, nothing is awaited.
 */
export async function sendDiamonds(
  reply: FastifyReply,
  search: DiamondSearch,
  merchant: Merchant,
  request: SearchRequest & { currency_code?: string },
  countsOf: (found: FoundDiamonds) => Record<string, unknown>,
): Promise<FastifyReply> {
  const { currency_code } = request
  const rules =
    search.rules.peek(merchant, currency_code) ?? (await search.rules.get(merchant, currency_code))
  const found = searchDiamonds(search, rules, request)
  const { page } = found
  const stones = search.stones.peek(page.ids) ?? (await search.stones.get(page.ids))
  const bytes = joinPage(page, stones, headOf(found, request), tailOf(found, countsOf(found)))
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
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
  const rest = { ...counts }
  if (found.facets) rest.facets = { ...found.facets.values, histograms: found.facets.histograms }
  if (found.relaxations) rest.relaxations = found.relaxations
  return Buffer.from(`,${JSON.stringify(rest).slice(1)}`)
}
