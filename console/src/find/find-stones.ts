import type { Gem } from '../api/gems.ts'
import { findStones } from '../api/gems.ts'

export interface Found {
  gems: Gem[]
  /** The numbers that no stone of the market has. */
  missing: string[]
}

/** The stones with these SKUs or certificates, in the order in which they were asked for. */
export async function findByNumbers(numbers: string[], signal?: AbortSignal): Promise<Found> {
  const spellings = [...new Set(numbers.flatMap((each) => [each, each.toUpperCase()]))]
  const found = await findStones(spellings, signal)
  const byNumber = new Map<string, Gem[]>()
  for (const gem of found) {
    for (const number of [gem.sku, gem.cert_num]) {
      if (!number) continue
      const key = number.toUpperCase()
      byNumber.set(key, [...(byNumber.get(key) ?? []), gem])
    }
  }
  const gems = new Map<string, Gem>()
  for (const number of numbers) {
    for (const gem of byNumber.get(number.toUpperCase()) ?? []) gems.set(gem.sku, gem)
  }
  const missing = numbers.filter((number) => !byNumber.has(number.toUpperCase()))
  return { gems: [...gems.values()], missing }
}
