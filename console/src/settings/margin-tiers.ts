import type { DefaultMargin, Margin, MarginDraft } from '../api/settings.ts'
import { numberIn, numberText } from '../lib/numbers.ts'

/** A tier as text, while somebody types. */
export interface TierText {
  min: string
  max: string
  mined_percent: string
  lab_percent: string
}

export function draftText(own: Margin[], defaults: DefaultMargin[]): TierText[] {
  const tiers = own.length > 0 ? own : defaults
  return tiers.map((tier) => {
    const isByPrice = 'weight_or_price' in tier && tier.weight_or_price === 'price'
    const [min, max] = isByPrice
      ? [(tier as Margin).price_min, (tier as Margin).price_max]
      : [tier.weight_min, tier.weight_max]
    return {
      min: numberText(min),
      max: numberText(max),
      mined_percent: numberText(tier.mined_percent),
      lab_percent: numberText(tier.lab_percent),
    }
  })
}

/** The tiers as numbers; undefined while a field is not a number. */
export function readDraft(tiers: TierText[], mode: MarginDraft['mode']): MarginDraft | undefined {
  const read = tiers.map((tier) => ({
    min: numberIn(tier.min),
    max: numberIn(tier.max),
    mined_percent: numberIn(tier.mined_percent),
    lab_percent: numberIn(tier.lab_percent),
  }))
  const isComplete = read.every((tier) => Object.values(tier).every((value) => value >= 0))
  return isComplete ? { mode, product_type: 'diamond', tiers: read } : undefined
}

/** The margin at a weight or price. In a gap between two tiers the lower one applies. */
export function percentAt(
  { tiers }: MarginDraft,
  value: number,
  type: 'mined_percent' | 'lab_percent',
): number {
  const sorted = [...tiers].sort((a, b) => a.min - b.min)
  let found = sorted[0]
  for (const tier of sorted) if (tier.min <= value) found = tier
  return found?.[type] ?? 0
}
