import type { DefaultMargin, Margin, MarginDraft } from '../api/settings.ts'

/** A tier as it stands in the fields while somebody types. */
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
      min: String(min),
      max: String(max),
      mined_percent: String(tier.mined_percent),
      lab_percent: String(tier.lab_percent),
    }
  })
}

/** The draft when every field is a number; undefined while one is not. */
export function readDraft(tiers: TierText[], mode: MarginDraft['mode']): MarginDraft | undefined {
  const read = tiers.map((tier) => ({
    min: numberIn(tier.min),
    max: numberIn(tier.max),
    mined_percent: numberIn(tier.mined_percent),
    lab_percent: numberIn(tier.lab_percent),
  }))
  const isWhole = read.every((tier) => Object.values(tier).every((value) => value >= 0))
  return isWhole ? { mode, product_type: 'diamond', tiers: read } : undefined
}

/** NaN when it is not a number, which is never at least 0. */
function numberIn(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'))
}

/** The percent at a weight or price: the tier that holds it, in a gap the lower one. */
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
