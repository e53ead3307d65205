import { isTaken, isTakenPart, readAvailability } from '../../../feeds/values/availability.ts'
import type { DraftSettings } from './draft-settings.ts'
import { readPublished } from './read-values.ts'
import { type Texts, Unsaleable } from './row-texts.ts'

const QUANTITY_MAX = 1_000_000

/** Available without a quantity means one piece; out on memo or sold means none. */
export function draftQuantity(
  texts: Texts,
  /** The sheet or file that the row is from. */
  part: string | undefined,
  settings: DraftSettings,
): number {
  const { quantity, published, sold } = texts
  const isPublished = published === undefined ? true : readPublished(published)
  if (isPublished === undefined) {
    throw new Unsaleable('published', published ?? '', 'Whether it is published is not known')
  }
  if (sold !== undefined && isTaken(sold)) return 0
  if (part !== undefined && isTakenPart(part)) return 0
  if (!isOffered(texts, settings) || !isPublished) return 0
  if (quantity === undefined) return 1
  const count = Number(quantity.replace(/\.0+$/, ''))
  // A shop may have sold more than it had.
  if (Number.isInteger(count) && count <= QUANTITY_MAX) return Math.max(0, count)
  throw new Unsaleable('quantity', quantity, 'The quantity is not a whole number')
}

/** A word that nobody knows never means available: it may be sold. A new piece is rejected. */
function isOffered({ availability, vendor_sku }: Texts, settings: DraftSettings): boolean {
  if (availability === undefined) return true
  const isAvailable = readAvailability(availability)
  if (isAvailable !== undefined) return isAvailable
  if (!settings.isKnown(vendor_sku ?? '')) {
    throw new Unsaleable('availability', availability, 'The availability is not known')
  }
  settings.notes.count('availability', availability)
  return false
}
