/** The margin tiers of a merchant without its own, all by weight in carats. */
export const DEFAULT_MARGINS = [
  { weight_min: 0, weight_max: 0.75, mined_percent: 35, lab_percent: 50 },
  { weight_min: 0.76, weight_max: 0.99, mined_percent: 30, lab_percent: 45 },
  { weight_min: 1, weight_max: 1.99, mined_percent: 30, lab_percent: 45 },
  { weight_min: 2, weight_max: 10, mined_percent: 25, lab_percent: 40 },
].map((tier) => ({ ...tier, weight_or_price: 'weight' as const }))
