import type { FastifyReply } from 'fastify'
import type { DiamondPage } from '../gems/search-diamonds.ts'
import type { SearchRequest } from '../gems/search-request.ts'

/**
 * Sends a search result as one Buffer: the gems are bytes already, and what stands around them is
 * small. `counts` is what the version of the interface says about the page.
 */
export function renderDiamonds(
  reply: FastifyReply,
  { result, gems }: DiamondPage,
  request: SearchRequest,
  counts: Record<string, unknown>,
): FastifyReply {
  const filters = {
    cut_code: result.occurring.cut_code,
    is_fancy: request.filters?.is_fancy === true,
    type: result.occurring.type,
  }
  const rest: Record<string, unknown> = { ...counts }
  if (result.facets) {
    rest.facets = { ...result.facets.values, histograms: result.facets.histograms }
  }
  if (result.relaxations) rest.relaxations = result.relaxations
  const head = Buffer.from(`{"filters":${JSON.stringify(filters)},"gems":`)
  const tail = Buffer.from(`,${JSON.stringify(rest).slice(1)}`)
  return reply
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(Buffer.concat([head, gems, tail]))
}
