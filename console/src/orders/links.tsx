import type { Substitute } from '../../../src/orders/placing/substitutes.ts'
import type { LineItem } from '../api/orders.ts'
import { session } from '../api/session-store.ts'
import { carats, humanize, money } from '../lib/format.ts'

type ProductOfLine = Pick<LineItem, 'sku' | 'product_type' | 'product_id'>

/** The page of a product, if it has one. */
export function productHref(line: ProductOfLine): string | undefined {
  const { sku, product_type, product_id } = line
  if (product_type === 'gem' && sku !== '') return `/stones/${encodeURIComponent(sku)}`
  if (product_type === 'cert' || !product_id) return undefined
  return `/jewelry/${encodeURIComponent(product_id)}`
}

/** A stone that is offered in place of another one, and what it costs. */
export function StoneLink({ stone }: { stone: Substitute }) {
  const facts = [carats(stone.weight), humanize(stone.shape), stone.color, stone.clarity, stone.lab]
  // Each side has its own page of a stone.
  const pages = session.get()?.role === 'operator' ? '/operator/stock' : '/stones'
  return (
    <>
      <a href={`${pages}/${stone.sku}`}>{facts.filter(Boolean).join(' ')}</a>
      <span class="number">{money(stone.base_wholesale_price, 'USD')}</span>
    </>
  )
}
