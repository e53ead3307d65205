import { own } from '../reading/own-text.ts'

/** Upper case letters and digits only: `V. Good` and `v-good` are both `VGOOD`. */
export function fold(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

/** Words by which suppliers say that they say nothing. */
const NOTHING = new Set([
  '',
  'NA',
  'NULL',
  'NIL',
  'NOTSPECIFIED',
  'UNKNOWN',
  'UNDEFINED',
  'NOTAVAILABLE',
  'NOTAPPLICABLE',
  'NAN',
  'TBD',
  'BLANK',
])

export function saysNothing(text: string): boolean {
  return NOTHING.has(fold(text))
}

const REMEMBERED_MAX = 4_096
const REMEMBERED_CHARS_MAX = 64

/**
 * Remembers what a reading of a text gave. A column of a million rows has few spellings, and a
 * look-up costs a tenth of the reading.
 */
export function remember<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined || known.has(text)) return found as T
    const value = read(text)
    if (text.length <= REMEMBERED_CHARS_MAX) {
      if (known.size >= REMEMBERED_MAX) known.clear()
      known.set(own(text), value)
    }
    return value
  }
}

/** A table of `value: 'SPELLING SPELLING …'` turned into spelling → value. */
export function spellings<V extends string>(table: Record<V, string>): Map<string, V> {
  const map = new Map<string, V>()
  for (const [value, words] of Object.entries(table) as [V, string][]) {
    for (const word of words.split(/\s+/)) if (word !== '') map.set(word, value)
  }
  return map
}

const UNSTORABLE = /[\0\ud800-\udfff]/u

/** The text without the characters that PostgreSQL cannot store: zero, and halves of pairs. */
export function storableText(text: string): string {
  if (!UNSTORABLE.test(text)) return text
  return text.replaceAll('\0', '').replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
}
