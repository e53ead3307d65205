import type { Gem } from '../api/gems.ts'
import { fromNow } from '../lib/format.ts'
import { useOwnHolds } from './own-holds.ts'

/** Says that a stone is on hold, and whether it is yours. */
export function HoldTag({ gem }: { gem: Pick<Gem, 'sku' | 'on_hold'> }) {
  const until = useOwnHolds().get(gem.sku)
  if (until !== undefined) {
    return (
      <span class="tag is-accent" title={`Until ${fromNow(until)}`}>
        Held by you
      </span>
    )
  }
  return gem.on_hold ? <span class="tag is-warn">On hold</span> : null
}
