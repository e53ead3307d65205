import type { Gem } from '../gems/gem-rendering.ts'
import { CLARITIES, COLORS } from '../reference/attributes.ts'

/** What decides how near another stone is. */
export interface StoneFields {
  shape: string
  type: string
  is_fancy: boolean
  color: string
  clarity: string | null
  weight: number
}

/** A grade counts as much as this share of the weight. */
export const WEIGHT_A_GRADE = 0.05
const STEPS_UNKNOWN = 3

/** A diamond's fields as its order keeps them. */
export function stoneOf(fields: Record<string, unknown>): StoneFields {
  return fields as unknown as StoneFields
}

/** The same measure as the database's, in grades. */
export function distanceOf(gem: Gem, stone: StoneFields): number {
  const steps = (scale: readonly string[], a: string | null, b: string | null) =>
    a === null || b === null ? STEPS_UNKNOWN : Math.abs(scale.indexOf(a) - scale.indexOf(b))
  return (
    Math.abs(Number(gem.weight) - stone.weight) / stone.weight / WEIGHT_A_GRADE +
    steps(COLORS, gem.color, stone.color) +
    steps(CLARITIES, gem.clarity, stone.clarity)
  )
}
