import type { Substitute } from '../../../src/orders/placing/substitutes.ts'
import { carats, humanize, money } from '../lib/format.ts'

/** A stone that is offered in place of another one, and what it costs. */
export function StoneLink({ stone }: { stone: Substitute }) {
  const facts = [carats(stone.weight), humanize(stone.shape), stone.color, stone.clarity, stone.lab]
  return (
    <>
      <a href={`/stones/${stone.sku}`}>{facts.filter(Boolean).join(' ')}</a>
      <span class="number">{money(stone.base_wholesale_price, 'USD')}</span>
    </>
  )
}
