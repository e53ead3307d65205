import type { FastifyReply } from 'fastify'
import type { FoundDiamonds } from '../../gems/search/diamonds.ts'
import { renderPage } from '../../gems/search/page.ts'
import type { RenderedStones } from '../../gems/search/rendered-stones.ts'
import type { SearchRequest } from '../../gems/search/request.ts'

/**
 * Sends a search result as one Buffer: the gems are bytes already, and what stands around them is
 * small. `counts` is what the version of the interface says about the page.
 */
export async function sendDiamonds(
  reply: FastifyReply,
  stones: RenderedStones,
  { result, rules }: FoundDiamonds,
  request: SearchRequest,
  counts: Record<string, unknown>,
): Promise<FastifyReply> {
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
  const head = `{"filters":${JSON.stringify(filters)},"gems":`
  const json = JSON.stringify(rest)
  const tail = `,${(result.facets ? ascii(json) : json).slice(1)}`
  const page = await renderPage(result.found, rules, stones, head, tail)
  return reply.header('content-type', 'application/json; charset=utf-8').send(page)
}

/** Overtones and country names are words in any language; escaped, they are one byte a letter. */
function ascii(json: string): string {
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
