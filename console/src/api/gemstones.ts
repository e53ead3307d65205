import type { Static } from 'typebox'
import type { GemstonePage, GemstoneSearchBody } from '../../../src/http/schemas/gem-search.ts'
import { call } from './client.ts'

export function searchGemstones(
  search: Static<typeof GemstoneSearchBody>,
  signal?: AbortSignal,
): Promise<Static<typeof GemstonePage>> {
  return call('POST', '/api/v3/gemstones/search', { body: search, signal })
}

export async function findGemstone(
  sku: string,
  signal?: AbortSignal,
): Promise<Static<typeof GemstonePage>['gems'][number] | undefined> {
  const filters = { sku: [sku] }
  const order = { sort_col: 'retail_price', sort_order: 'asc' } as const
  const { gems } = await searchGemstones({ filters, limit: 1, offset: 0, ...order }, signal)
  return gems[0]
}
