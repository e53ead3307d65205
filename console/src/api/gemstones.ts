import { call } from './client.ts'
import type { Gem } from './gem.ts'

export interface Gemstone extends Gem {
  origin?: string | null
  treatment?: string | null
}

export interface GemstoneSearch {
  filters: Record<string, unknown>
  limit: number
  offset: number
  sort_col: string
  sort_order: 'asc' | 'desc'
}

export interface GemstonePage {
  gems: Gemstone[]
  total: number
  offset: number
  limit: number
}

export function searchGemstones(
  search: GemstoneSearch,
  signal?: AbortSignal,
): Promise<GemstonePage> {
  return call('POST', '/api/v3/gemstones/search', { body: search, signal })
}

export async function findGemstone(
  sku: string,
  signal?: AbortSignal,
): Promise<Gemstone | undefined> {
  const filters = { sku: [sku] }
  const order = { sort_col: 'retail_price', sort_order: 'asc' } as const
  const { gems } = await searchGemstones({ filters, limit: 1, offset: 0, ...order }, signal)
  return gems[0]
}
