import { CLARITIES, COLORS } from '../../reference/attributes.ts'

/** What the scale needs to know of a stone. */
interface ScaledStone {
  type: 'mined' | 'lab grown'
  weight: number
  is_fancy: boolean
  color: string | null
  clarity: string | null
}

/**
 * A rough price per carat, relative to a G VS2 of one carat. Prices per carat of mined stones grow
 * about like their weight, those of grown stones hardly at all.
 */
export function scaleOf(stone: ScaledStone): number {
  const { type, weight } = stone
  return (type === 'mined' ? weight : weight ** 0.3) * gradeScaleOf(stone)
}

/** The part of the scale that color and clarity decide. */
export function gradeScaleOf(stone: Omit<ScaledStone, 'type' | 'weight'>): number {
  const { is_fancy, color, clarity } = stone
  const colorRank = is_fancy ? 3 : (COLORS as readonly string[]).indexOf(color ?? 'G')
  const clarityRank = (CLARITIES as readonly string[]).indexOf(clarity ?? 'VS2')
  return 0.87 ** (colorRank - 3) * 0.82 ** (clarityRank - 5)
}

/**
 * US dollars for one carat of a mined G VS2 of one carat, within a factor of two over the last
 * fifteen years. Grown ones cost a third of it when they were new to the trade, and a tenth now.
 */
export const MINED_PER_CARAT_USD = 5_000

/** Of a grown one, within a factor of ten: prices have fallen to a twentieth. */
export const GROWN_PER_CARAT_USD = 600
