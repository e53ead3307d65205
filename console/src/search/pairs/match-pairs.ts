import { CLARITIES, COLORS } from '../../../../src/reference/attributes.ts'
import type { Gem } from '../../api/gems.ts'
import type { Range } from '../query.ts'

/** What two stones must have in common to be worn beside each other. */
export type Matchable = Pick<
  Gem,
  | 'sku'
  | 'shape'
  | 'type'
  | 'weight'
  | 'length'
  | 'width'
  | 'color'
  | 'is_fancy'
  | 'fancy_color_intensity'
  | 'clarity'
  | 'retail_price'
>

export interface Pair<Stone extends Matchable> {
  stones: readonly [Stone, Stone]
  price: number
  /** How far apart they are; 0 when nothing distinguishes them. */
  difference: number
}

/** Differences that the eye does not see at a distance of two ears. */
const WEIGHT_SHARE_MAX = 0.04
const SIZE_MM_MAX = 0.12
const GRADES_MAX = 1

/** Matched pairs, each stone in one pair at most, the most alike first. */
export function matchPairs<Stone extends Matchable>(
  stones: readonly Stone[],
  price: Range = {},
): Pair<Stone>[] {
  const sorted = [...stones].sort((one, other) => one.weight - other.weight)
  const possible: Pair<Stone>[] = []
  for (const [at, lighter] of sorted.entries()) {
    for (let next = at + 1; next < sorted.length; next++) {
      const heavier = sorted[next]
      if (heavier.weight > lighter.weight * (1 + WEIGHT_SHARE_MAX)) break
      const difference = differenceOf(lighter, heavier)
      const sum = lighter.retail_price + heavier.retail_price
      const isIn = sum >= (price.min ?? 0) && sum <= (price.max ?? Number.POSITIVE_INFINITY)
      if (difference === undefined || !isIn) continue
      possible.push({ stones: [lighter, heavier], price: sum, difference })
    }
  }
  possible.sort((one, other) => one.difference - other.difference || one.price - other.price)
  const taken = new Set<string>()
  return possible.filter(({ stones: [one, other] }) => {
    if (taken.has(one.sku) || taken.has(other.sku)) return false
    taken.add(one.sku).add(other.sku)
    return true
  })
}

/** How far apart two stones are, or undefined when they are not a pair. */
function differenceOf(one: Matchable, other: Matchable): number | undefined {
  if (one.shape !== other.shape || one.type !== other.type) return undefined
  const color = colorSteps(one, other)
  const clarity = steps(CLARITIES, one.clarity, other.clarity)
  if (color > GRADES_MAX || clarity > GRADES_MAX) return undefined
  const size = Math.max(apart(one.length, other.length), apart(one.width, other.width))
  if (size > SIZE_MM_MAX) return undefined
  const weight = Math.abs(one.weight / other.weight - 1)
  return color + clarity * 0.5 + size / SIZE_MM_MAX + weight / WEIGHT_SHARE_MAX
}

function colorSteps(one: Matchable, other: Matchable): number {
  if (!one.is_fancy && !other.is_fancy) return steps(COLORS, one.color, other.color)
  const isSame =
    one.is_fancy === other.is_fancy &&
    one.color === other.color &&
    one.fancy_color_intensity === other.fancy_color_intensity
  return isSame ? 0 : GRADES_MAX + 1
}

/** Grades between two values; a missing one is never alike. */
function steps(scale: readonly string[], one: string | null, other: string | null): number {
  if (one === null || other === null) return GRADES_MAX + 1
  return Math.abs(scale.indexOf(one) - scale.indexOf(other))
}

/** Sizes that are not known are left to the weight. */
function apart(one: number | null, other: number | null): number {
  return one === null || other === null ? 0 : Math.abs(one - other)
}
