import { Refusal } from '../lib/refusal.ts'
import { queryWords } from './free-text.ts'
import type { Floor } from './showroom.ts'
import type { VariantRow } from './showroom-rows.ts'

/** One bit per word has to fit into 31. */
const WORDS_MAX = 20

/**
 * The test for free text: every word is found, whole or as a beginning, in the variant or in its
 * product. Which words a product has is worked out once and remembered by its slot.
 */
export function planText(floor: Floor, query: string): (row: VariantRow) => boolean {
  const words = queryWords(query)
  if (words.length === 0) return () => true
  if (words.length > WORDS_MAX) {
    throw new Refusal('invalid_request', `q must have at most ${WORDS_MAX} different words.`, {
      errors: [{ field: 'q', message: `must have at most ${WORDS_MAX} different words` }],
    })
  }
  const marks = words.map((word) => floor.terms.words.startingWith(word))
  const all = 2 ** words.length - 1
  const NOT_YET = -1
  const inProduct = new Int32Array(floor.slots).fill(NOT_YET)

  return ({ product, words: own }) => {
    let found = inProduct[product.slot]
    if (found === NOT_YET) {
      found = wordsFound(product.words, marks)
      inProduct[product.slot] = found
    }
    return found === all || (found | wordsFound(own, marks)) === all
  }
}

/** A bit for each word that the row has. */
function wordsFound(ids: readonly number[], marks: readonly Uint8Array[]): number {
  let found = 0
  for (let word = 0; word < marks.length; word++) {
    const marked = marks[word]
    for (const id of ids) {
      if (marked[id] === 1) {
        found |= 1 << word
        break
      }
    }
  }
  return found
}
