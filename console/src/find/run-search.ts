import type { Session } from '../api/session-store.ts'
import { sessionCurrency } from '../api/session-store.ts'
import { numberIn } from '../lib/numbers.ts'
import { currentLocation, go } from '../lib/router.ts'
import { parseQuery, searchUrl } from '../search/query.ts'
import { readSearch } from './read-search.ts'
import { rememberSearch } from './recent-store.ts'

/** Goes to the page that shows what somebody searches. */
export function runSearch(role: Session['role'], text: string): void {
  const trimmed = text.trim()
  if (trimmed === '') return
  const to = addressOf(role, trimmed)
  rememberSearch({ text: trimmed.slice(0, 120), to })
  go(to)
}

function addressOf(role: Session['role'], text: string): string {
  if (role === 'supplier') return `/supplier/stock?${new URLSearchParams({ q: text })}`
  if (role === 'operator') return `/operator/find?${new URLSearchParams({ q: text })}`
  const search = readSearch(text, { toNumber: numberIn, currency: sessionCurrency() })
  if (search.kind === 'numbers') {
    const params = new URLSearchParams({ numbers: search.numbers.join() })
    if (search.leftOut > 0) params.set('left_out', String(search.leftOut))
    return `/find?${params}`
  }
  const { path, params } = currentLocation()
  // Someone who works in the table goes on in the table.
  const present = path === '/search' ? parseQuery(params).view : 'cards'
  const view = search.query.view === 'cards' ? present : search.query.view
  const url = searchUrl({ ...search.query, view })
  if (search.unread.length === 0) return url
  const unread = new URLSearchParams({ unread: search.unread.join(',') })
  return `${url}${url.includes('?') ? '&' : '?'}${unread}`
}
