import type { Product } from '../product.ts'

/**
 * What tells a stone from another that its supplier lists by the same number later. It is kept with
 * the prices of a quoted line: these were promised for the one stone, and not for its number.
 */
interface StoneMark {
  product_type: unknown
  shape: unknown
  weight: number
  certificate: string | null
}

/** Two measurements of one stone differ by no more. */
const WEIGHT_TOLERANCE_CARATS = 0.01
/** Far less than the last decimal of a weight, and more than its error as a float. */
const FLOAT_ERROR = 1e-9

/** Undefined for jewelry, whose pieces are made to one pattern. */
export function markOf({ stone, fields }: Product): StoneMark | undefined {
  if (stone === null) return undefined
  const { product_type, shape, weight } = fields
  return { product_type, shape, weight: Number(weight), certificate: stone.certificate }
}

/** Whether the number that was quoted belongs to another stone by now. */
export function isOtherStone(product: Product, terms: Record<string, unknown>): boolean {
  const now = markOf(product)
  const quoted = terms.stone as StoneMark | undefined
  if (!now || !quoted) return false
  if (now.product_type !== quoted.product_type) return true
  if (now.certificate !== null && quoted.certificate !== null) {
    return now.certificate !== quoted.certificate
  }
  if (now.shape !== quoted.shape) return true
  // The average weight of a parcel changes with what is taken out of it.
  const difference = Math.abs(now.weight - quoted.weight)
  return product.single && difference > WEIGHT_TOLERANCE_CARATS + FLOAT_ERROR
}
