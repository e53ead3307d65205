import { createHash } from 'node:crypto'

/** A statement that came this often will come again. */
const SEEN_BEFORE_NAMED = 4
/** Each takes memory in every connection. */
const NAMED_MAX = 400
/** Texts differ with what a caller filters by, so there is no end of them. */
const COUNTED_MAX = 4_000

/**
 * Gives statements that come again and again a name, by which PostgreSQL keeps them parsed and
 * planned in each connection: otherwise that is a quarter of its work on an order. Returns
 * undefined for a text that gets none.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string | undefined>()
  const seen = new Map<string, number>()
  return (text) => {
    if (names.has(text)) return names.get(text)
    if (names.size >= NAMED_MAX) return undefined
    const times = (seen.get(text) ?? 0) + 1
    if (times <= SEEN_BEFORE_NAMED) {
      if (seen.size >= COUNTED_MAX) seen.clear()
      seen.set(text, times)
      return undefined
    }
    seen.delete(text)
    const name = returnsAllColumns(text) ? undefined : nameFrom(text)
    names.set(text, name)
    return name
  }
}

/**
 * A statement that is prepared fails once its columns change, which a migration of a newer version
 * may do while this process runs. Only those of the outermost list count, outside parentheses.
 */
function returnsAllColumns(text: string): boolean {
  let outermost = text
  for (let before = ''; before !== outermost; ) {
    before = outermost
    outermost = outermost.replace(/\([^()]*\)/g, ' ')
  }
  return /(\b(select|returning|distinct)\s+|[.,]\s*)\*/i.test(outermost)
}

function nameFrom(text: string): string {
  return `p_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
}
