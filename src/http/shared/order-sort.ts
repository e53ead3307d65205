import { Refusal } from '../../lib/refusal.ts'
import type { OrderSort } from '../../orders/search-orders.ts'

type Direction = 'asc' | 'desc'

interface SortQuery {
  sort_col?: OrderSort
  sort_order?: Direction
  order_by?: OrderSort
  order?: Direction
  owed?: boolean
}

/** Only what is to be paid has them, and only that is few enough to be sorted by them. */
const OWED_SORTS: readonly OrderSort[] = ['due_on', 'balance']

/** Reads the sort order, whose parameters have aliases; both may be given if they agree. */
export function sortOf(query: SortQuery): { sort_col: OrderSort; sort_order: Direction } {
  refuseContradiction(query, 'sort_col', 'order_by')
  refuseContradiction(query, 'sort_order', 'order')
  const sort_col = query.sort_col ?? query.order_by ?? 'created_on'
  if (OWED_SORTS.includes(sort_col) && !query.owed) {
    const message = `is ${sort_col}, which only invoices with something left to pay have`
    throw new Refusal('invalid_request', `sort_col ${message}; send owed=true.`, {
      errors: [{ field: 'sort_col', message: `${message}; send owed=true` }],
    })
  }
  return {
    sort_col,
    sort_order: query.sort_order ?? query.order ?? 'asc',
  }
}

function refuseContradiction(
  query: SortQuery,
  name: 'sort_col' | 'sort_order',
  alias: 'order_by' | 'order',
): void {
  const [first, second] = [query[name], query[alias]]
  if (first === undefined || second === undefined || first === second) return
  const message = `is ${second}, but ${name} is ${first}; send only one of them`
  throw new Refusal('invalid_request', `${alias} ${message}.`, {
    errors: [{ field: alias, message }],
  })
}
