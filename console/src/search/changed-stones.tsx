import { useEffect, useState } from 'preact/hooks'
import { type DiamondSearchResult, type Gem, searchDiamonds } from '../api/gems.ts'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { filtersOf, type SearchQuery } from './query.ts'

const COMPARED_EVERY_MS = 60_000

/** Says that stones at the top of the list were sold or held meanwhile, or have another price. */
export function ChangedStones(props: {
  query: SearchQuery
  shown: DiamondSearchResult | undefined
  onShow: () => void
}) {
  const { query, shown, onShow } = props
  const changed = useChanged(query, shown)
  return (
    <div role="status">
      {changed > 0 && (
        <p class="note is-warn unread">
          {t('Sold, held or with another price by now: {stones} of this list.', {
            stones: plural(changed, 'stone'),
          })}{' '}
          <button type="button" class="button is-small" onClick={onShow}>
            {t('Show again')}
          </button>
        </p>
      )}
    </div>
  )
}

/** How many stones of the first page are different now; compared while the page is in sight. */
function useChanged(query: SearchQuery, shown: DiamondSearchResult | undefined): number {
  const [changed, setChanged] = useState(0)
  // The response stands for the query.
  useEffect(() => {
    setChanged(0)
    if (!shown || shown.gems.length === 0) return
    const controller = new AbortController()
    const compare = async () => {
      const now = await readAgain(query, shown.gems, controller.signal)
      if (controller.signal.aborted) return
      setChanged(shown.gems.filter((gem) => isOther(gem, now.get(gem.sku))).length)
    }
    const timer = setInterval(() => {
      // A failure is not shown here: the next comparison follows.
      if (document.visibilityState === 'visible') void compare().catch(() => {})
    }, COMPARED_EVERY_MS)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [shown])
  return changed
}

async function readAgain(query: SearchQuery, gems: readonly Gem[], signal: AbortSignal) {
  const found = await searchDiamonds(
    {
      filters: { ...filtersOf(query), sku: gems.map(({ sku }) => sku) },
      limit: gems.length,
      offset: 0,
      sort_col: query.sort,
      sort_order: query.order,
    },
    signal,
  )
  return new Map(found.gems.map((gem) => [gem.sku, gem]))
}

function isOther(before: Gem, now: Gem | undefined): boolean {
  return !now || now.on_hold !== before.on_hold || now.retail_price !== before.retail_price
}
