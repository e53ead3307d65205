import type { Gem } from '../api/gems.ts'
import { t } from '../language/language.ts'
import { fromNow } from '../lib/format.ts'
import { useOwnHolds } from './own-holds.ts'

/** Says that a stone is on hold, and whether it is yours. */
export function HoldTag({ gem }: { gem: Pick<Gem, 'sku' | 'on_hold'> }) {
  const until = useOwnHolds().get(gem.sku)
  if (until !== undefined) {
    return (
      <span class="tag is-accent" title={t('Ends {when}', { when: fromNow(until) })}>
        {t('Held by you')}
      </span>
    )
  }
  return gem.on_hold ? <span class="tag is-warn">{t('On hold')}</span> : null
}
