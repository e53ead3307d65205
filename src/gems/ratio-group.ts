import type { Shape } from '../reference/attributes.ts'
import { GEM_RATIOS } from '../reference/gem-ratios.ts'

/** The upper bound of a square outline in the table of ratios. */
const SQUARE_RATIO_MAX = GEM_RATIOS.princess.square.ratio_max

/** Whether the outline is square or rectangular; null for shapes without such forms. */
export function ratioGroupOf(shape: Shape, ratio: number): 'square' | 'rectangular' | null {
  if (!(shape in GEM_RATIOS)) return null
  return ratio <= SQUARE_RATIO_MAX ? 'square' : 'rectangular'
}
