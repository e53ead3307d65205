import type { Selectable } from 'kysely'
import type { MarginTable } from '../database/tables/merchants.ts'
import { type FieldError, Refusal } from '../lib/refusal.ts'

export type Margin = Selectable<MarginTable>
export type MarginMode = 'weight' | 'price'
export type MarginProduct = 'diamond' | 'gemstone'

/** A tier with inclusive bounds, in carats or in US dollars. */
export interface TierDraft {
  min: number
  max: number
  mined_percent: number
  lab_percent: number
}

/** More tiers than a person can oversee are a mistake. */
export const TIERS_MAX = 50

/** What the columns can store. */
const BOUNDS = {
  weight: { max: 99_999, decimals: 4, unit: 'ct' },
  price: { max: 1_000_000_000, decimals: 2, unit: 'USD' },
} as const

/**
 * Checks that the tiers can be used together, and sorts them. Gaps are allowed (a value in a gap
 * has the lower tier); where tiers overlap, even in a single value, the price would be arbitrary.
 */
export function planTiers(tiers: readonly TierDraft[], mode: MarginMode): TierDraft[] {
  const errors = tiers.flatMap((tier, position) =>
    boundsErrors(tier, mode, { min: `tiers[${position}].min`, max: `tiers[${position}].max` }),
  )
  refuseErrors(errors)
  const ordered = [...tiers].sort((a, b) => a.min - b.min)
  for (let position = 1; position < ordered.length; position++) {
    const lower = ordered[position - 1]
    const upper = ordered[position]
    if (upper.min <= lower.max) {
      const both = `${lower.min}-${lower.max} and ${upper.min}-${upper.max}`
      throw new Refusal(
        'tiers_overlap',
        `The tiers ${both} overlap; bounds are inclusive, ` +
          `so the upper must begin above ${lower.max}.`,
        { errors: [{ field: 'tiers', message: `${both} overlap` }] },
      )
    }
  }
  return ordered
}

/** A single tier as the API names its fields; the bounds of the other kind are absent or 0. */
export interface MarginDraft {
  weight_or_price: MarginMode
  weight_min?: number
  weight_max?: number
  price_min?: number
  price_max?: number
  mined_percent: number
  lab_percent: number
}

/** The tier that a draft describes; refuses one with missing or contradictory bounds. */
export function tierFrom(draft: MarginDraft): TierDraft {
  const mode = draft.weight_or_price
  const other = mode === 'weight' ? 'price' : 'weight'
  const errors: FieldError[] = []
  for (const field of [`${other}_min`, `${other}_max`] as const) {
    if ((draft[field] ?? 0) === 0) continue
    errors.push({ field, message: `must be 0 or absent in a tier that goes by ${mode}` })
  }
  const min = draft[`${mode}_min`]
  const max = draft[`${mode}_max`]
  if (min === undefined) errors.push({ field: `${mode}_min`, message: 'is required' })
  if (max === undefined) errors.push({ field: `${mode}_max`, message: 'is required' })
  const { mined_percent, lab_percent } = draft
  const tier = { min: min ?? 0, max: max ?? 0, mined_percent, lab_percent }
  if (errors.length === 0) {
    errors.push(...boundsErrors(tier, mode, { min: `${mode}_min`, max: `${mode}_max` }))
  }
  refuseErrors(errors)
  return tier
}

/** A stored tier as a draft. */
export function draftOf(margin: Margin): MarginDraft {
  const percents = {
    mined_percent: Number(margin.mined_percent),
    lab_percent: Number(margin.lab_percent),
  }
  return margin.weight_or_price === 'weight'
    ? {
        weight_or_price: 'weight',
        weight_min: Number(margin.weight_min),
        weight_max: Number(margin.weight_max),
        ...percents,
      }
    : {
        weight_or_price: 'price',
        price_min: Number(margin.price_min),
        price_max: Number(margin.price_max),
        ...percents,
      }
}

function boundsErrors(
  tier: TierDraft,
  mode: MarginMode,
  fields: { min: string; max: string },
): FieldError[] {
  const { max, decimals, unit } = BOUNDS[mode]
  const errors: FieldError[] = []
  for (const bound of ['min', 'max'] as const) {
    if (tier[bound] > max) {
      errors.push({ field: fields[bound], message: `must be at most ${max} ${unit}` })
    } else if (Number(tier[bound].toFixed(decimals)) !== tier[bound]) {
      errors.push({ field: fields[bound], message: `must have at most ${decimals} decimals` })
    }
  }
  if (tier.min > tier.max) {
    const message = `${tier.min} is above ${tier.max}; a tier goes from low to high`
    errors.push({ field: fields.min, message })
  }
  return errors
}

function refuseErrors(errors: FieldError[]): void {
  if (errors.length === 0) return
  const [{ field, message }] = errors
  throw new Refusal('invalid_request', `A tier is wrong: ${field} ${message}.`, { errors })
}
