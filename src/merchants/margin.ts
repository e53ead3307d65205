import type { Selectable } from 'kysely'
import type { MarginTable } from '../database/tables.ts'
import { type FieldError, Refusal } from '../lib/refusal.ts'

export type Margin = Selectable<MarginTable>
export type MarginMode = 'weight' | 'price'
export type MarginProduct = 'diamond' | 'gemstone'

/** A tier as it is asked for: inclusive bounds in carats or in US dollars. */
export interface TierDraft {
  min: number
  max: number
  mined_percent: number
  lab_percent: number
}

/** More tiers than a merchant can keep in mind are a mistake. */
export const TIERS_MAX = 50

/**
 * Decides whether the tiers can stand together, and puts them in order. Gaps are allowed (a value
 * in a gap has the lower tier); an overlap, also in a single value, would leave the price to luck.
 */
export function planTiers(tiers: readonly TierDraft[]): TierDraft[] {
  const errors = tiers.flatMap(boundsErrors)
  if (errors.length > 0) {
    throw new Refusal('invalid_request', `A tier is wrong: ${errors[0].message}.`, { errors })
  }
  const ordered = [...tiers].sort((a, b) => a.min - b.min)
  for (let position = 1; position < ordered.length; position++) {
    const lower = ordered[position - 1]
    const upper = ordered[position]
    if (upper.min <= lower.max) {
      const both = `${lower.min}-${lower.max} and ${upper.min}-${upper.max}`
      throw new Refusal(
        'tiers_overlap',
        `The tiers ${both} overlap; bounds are inclusive, so the upper must begin above ${lower.max}.`,
      )
    }
  }
  return ordered
}

function boundsErrors(tier: TierDraft, position: number): FieldError[] {
  if (tier.min <= tier.max) return []
  const message = `${tier.min} is above ${tier.max}; a tier goes from low to high`
  return [{ field: `tiers[${position}].min`, message }]
}
