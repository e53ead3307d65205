/**
 * Free text is compared folded: small letters, accents off. A text is found by its words as they
 * stand between spaces and by the parts between signs, so `AB-1204/W` answers to itself, to `1204`
 * and to every beginning of them.
 */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
}

/** The words that a text is found by. */
export function wordsOf(texts: Iterable<string>): Set<string> {
  const words = new Set<string>()
  for (const text of texts) {
    for (const word of foldText(text).split(/\s+/)) {
      const bare = stripSigns(word)
      if (bare === '') continue
      words.add(bare)
      if (HAS_SIGN.test(bare)) {
        for (const part of bare.split(SIGNS)) if (part !== '') words.add(part)
      }
    }
  }
  return words
}

/**
 * The words that a query asks for: each must be found, whole or as a beginning. A word of signs
 * alone comes out empty.
 */
export function queryWords(query: string): string[] {
  const words = foldText(query).trim().split(/\s+/)
  return [...new Set(words.filter((word) => word !== '').map(stripSigns))]
}

/** Most texts have nothing to fold but capitals. */
const PLAIN = /^[ -~]*$/
const SIGNS = /[^\p{L}\p{N}]+/u
const HAS_SIGN = /[^\p{L}\p{N}]/u

function stripSigns(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+/u, '').replace(/[^\p{L}\p{N}]+$/u, '')
}
