import type { Store } from '../../index/index.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'

/**
 * Pages as they were sent. Shops ask for the same ones again and again: the first page of a
 * collection, the filters that a shop opens with. A page is sent again while neither a stone of the
 * index nor the caller's prices have changed, so it is never older than a new one would be. One
 * that was asked for once is not kept: it would take the place of those that are asked for often.
 */
export interface RecentPages {
  /** The page that was made for the same request, if it is still right. */
  find(key: string, rules: PriceRules): SentPage | undefined
  keep(key: string, source: PageSource, page: SentPage): void
}

/** What a page was made from. */
interface PageSource {
  rules: PriceRules
  version: Store['version']
}

export interface SentPage {
  readonly bytes: Buffer
  /** The same bytes by content coding, once somebody has asked for them compressed. */
  readonly compressed: Map<string, Buffer>
  /** How many stones the search found. */
  readonly total: number
  /** What a publishable key sees of it, once it was asked for with one. */
  retailOnly?: SentPage
}

/** Some two hundred pages of 50 stones. */
const BYTES_MAX = 48 * 1024 * 1024
/** Longer pages are read by programs that read all of them, once. */
const PAGE_BYTES_MAX = 256 * 1024
/** With what is made of it: a second page for publishable keys, and both compressed. */
const BYTES_PER_BYTE = 2.5
const ASKED_ONCE_MAX = 1_000

interface Entry extends PageSource {
  page: SentPage
}

export function createRecentPages(
  storeOf: () => Pick<Store, 'version'>,
  bytesMax = BYTES_MAX,
): RecentPages {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>()
  const askedOnce = new Set<string>()
  let bytes = 0

  function drop(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= bytesOf(entry.page)
  }

  /** Whether the page was asked for before; it is remembered when it was not. */
  function isRepeated(key: string): boolean {
    if (entries.has(key) || askedOnce.delete(key)) return true
    for (const oldest of askedOnce) {
      if (askedOnce.size < ASKED_ONCE_MAX) break
      askedOnce.delete(oldest)
    }
    askedOnce.add(key)
    return false
  }

  return {
    find(key, rules) {
      const entry = entries.get(key)
      if (entry?.rules !== rules || entry.version !== storeOf().version) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.page
    },
    keep(key, source, page) {
      if (page.bytes.length > PAGE_BYTES_MAX || !isRepeated(key)) return
      drop(key)
      entries.set(key, { page, ...source })
      bytes += bytesOf(page)
      for (const oldest of entries.keys()) {
        if (bytes <= bytesMax) break
        drop(oldest)
      }
    },
  }
}

function bytesOf({ bytes }: SentPage): number {
  return bytes.length * BYTES_PER_BYTE
}
