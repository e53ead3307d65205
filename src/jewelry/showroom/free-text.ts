/**
 * Normalizes text for comparison: lower case, without accents. A text is found by its words and by
 * the parts of a word between signs, so `AB-1204/W` is found by itself, by `1204`, and by every
 * prefix of these.
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

/** Returns the words that texts are found by. */
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
 * Returns the words of a query, of which each must be found, whole or as a prefix. A word of signs
 * only becomes an empty string.
 */
export function queryWords(query: string): string[] {
  const words = foldText(query).trim().split(/\s+/)
  return [...new Set(words.filter((word) => word !== '').map(stripSigns))]
}

/** For most texts it is enough to change them to lower case. */
const PLAIN = /^[ -~]*$/
const SIGNS = /[^\p{L}\p{N}]+/u
const HAS_SIGN = /[^\p{L}\p{N}]/u

function stripSigns(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+/u, '').replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '')
}
