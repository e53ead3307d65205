import type { FastifyReply } from 'fastify'
import type { PagedRequest } from '../../gems/search/cursor.ts'
import { searchGemstones } from '../../gems/search/gemstones.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { Services } from '../services.ts'

/** Searches colored stones, and sends the page as the bytes that the index side renders. */
export async function sendGemstones(
  reply: FastifyReply,
  { gemstones, searches }: Services,
  merchant: Merchant,
  asked: PagedRequest & { fields?: readonly string[] },
): Promise<FastifyReply> {
  const { bytes, total, offset } = await searchGemstones(gemstones, merchant, asked)
  // A further page is not another search.
  if (offset === 0) searches.days.count('gemstone', total)
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
}
