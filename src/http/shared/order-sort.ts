import { Refusal } from '../../lib/refusal.ts'
import type { OrderSort } from '../../orders/search-orders.ts'

type Direction = 'asc' | 'desc'

interface SortQuery {
  sort_col?: OrderSort
  sort_order?: Direction
  order_by?: OrderSort
  order?: Direction
}

/** Reads the sort order, whose parameters have aliases; both may be given if they agree. */
export function sortOf(query: SortQuery): { sort_col: OrderSort; sort_order: Direction } {
  refuseContradiction(query, 'sort_col', 'order_by')
  refuseContradiction(query, 'sort_order', 'order')
  return {
    sort_col: query.sort_col ?? query.order_by ?? 'created_on',
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
