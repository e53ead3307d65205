import { Refusal } from '../../lib/refusal.ts'
import { queryWords } from './free-text.ts'
import type { Floor } from './showroom.ts'
import { markRows } from './term-index.ts'

const WORDS_MAX = 20

/**
 * Takes away the marks of variants that lack a word of the query. A word is found, whole or as a
 * beginning, in the variant or in its product.
 */
export function keepWithWords(floor: Floor, query: string, marks: Uint8Array): void {
  const words = queryWords(query)
  // A word of signs alone is in no text.
  if (words.includes('')) marks.fill(0)
  if (words.length > WORDS_MAX) {
    const message = `must have at most ${WORDS_MAX} different words`
    throw new Refusal('invalid_request', `q ${message}.`, { errors: [{ field: 'q', message }] })
  }
  const { products, variants } = floor
  const productOf = variants.columns.product
  for (const word of words) {
    const inProducts = new Uint8Array(products.rows.length)
    const inVariants = new Uint8Array(marks.length)
    markRows(products.words, products.words.startingWith(word), inProducts)
    markRows(variants.words, variants.words.startingWith(word), inVariants)
    for (let number = 0; number < marks.length; number++) {
      marks[number] &= inVariants[number] | inProducts[productOf[number]]
    }
  }
}
