import { useState } from 'preact/hooks'
import type { Gem } from '../../api/gems.ts'
import { mayDo } from '../../api/session-store.ts'
import { usePageActions } from '../../find/page-actions.ts'
import { t, tIn } from '../../language/language.ts'
import { count, plural } from '../../lib/format.ts'
import { go } from '../../lib/router.ts'
import { useStore } from '../../lib/store.ts'
import { addToBasket } from '../../orders/basket-store.ts'
import { AskQuoteButton } from '../../orders/quotes/ask-button.tsx'
import { FormatButtons } from '../../parts/export-button.tsx'
import { showToast } from '../../parts/toast.tsx'
import { COMPARED_MAX, compared } from '../../stones/compare-store.ts'
import { gemName } from '../../stones/labels.ts'
import { WatchAllButton } from '../../watched/watch-button.tsx'
import { ColumnsDialog } from './columns-dialog.tsx'
import { downloadStones } from './export.ts'
import { changeLayout, columnsOf, layout } from './layout.ts'
import { SELECTED_MAX, type Selection } from './selection.ts'

/** Puts stones into the basket and says so. */
export function putIntoBasket(gems: readonly Gem[]): void {
  for (const { sku } of gems) addToBasket({ sku, quantity: 1 })
  showToast(t('{stones} in the basket.', { stones: plural(gems.length, 'stone') }))
}

/** What can be done with the selected stones, or with the table when none is selected. */
export function TableToolbar(props: {
  selection: Selection
  total: number
  onHold: (gems: Gem[]) => void
  onHelp: () => void
}) {
  const { selection, total, onHold, onHelp } = props
  const [isChoosing, setChoosing] = useState(false)
  const { isFilterHidden } = useStore(layout)
  const toggleFilters = () => changeLayout({ isFilterHidden: !isFilterHidden })
  usePageActions([
    { label: t('Choose columns'), run: () => setChoosing(true) },
    { label: t('Select all stones'), run: selection.selectAll },
    { label: t('Show or hide the filters'), run: toggleFilters },
    { label: t('Show the keys of the table'), key: '?', run: onHelp },
  ])
  return (
    <div class="table-tools">
      {selection.gems.size > 0 ? (
        <SelectionActions selection={selection} onHold={onHold} />
      ) : (
        <>
          <button type="button" class="button is-small" onClick={selection.selectAll}>
            {total > SELECTED_MAX
              ? t('Select the first {count}', { count: count(SELECTED_MAX) })
              : t('Select all')}
          </button>
          <button type="button" class="button is-small" onClick={() => setChoosing(true)}>
            {t('Columns')}
          </button>
          <button type="button" class="button is-small wide-only" onClick={toggleFilters}>
            {isFilterHidden ? t('Show filters') : t('Hide filters')}
          </button>
          <button type="button" class="button is-small is-quiet wide-only" onClick={onHelp}>
            {tIn('keyboard', 'Keys')} <kbd>?</kbd>
          </button>
        </>
      )}
      {isChoosing && <ColumnsDialog onClose={() => setChoosing(false)} />}
    </div>
  )
}

function SelectionActions(props: { selection: Selection; onHold: (gems: Gem[]) => void }) {
  const { selection, onHold } = props
  const chosen = useStore(layout)
  const gems = [...selection.gems.values()]
  const canCompare = gems.length > 1 && gems.length <= COMPARED_MAX
  const compare = () => {
    compared.set(gems.map(({ sku }) => sku))
    go(`/compare?sku=${gems.map(({ sku }) => sku).join(',')}`)
  }
  return (
    <>
      <strong role="status">{t('{count} selected', { count: count(gems.length) })}</strong>
      {mayDo('orders:write') && (
        <button type="button" class="button is-small is-main" onClick={() => putIntoBasket(gems)}>
          {t('Add to basket')}
        </button>
      )}
      {mayDo('inventory') && (
        <button type="button" class="button is-small" onClick={() => onHold(gems)}>
          {t('Hold')}
        </button>
      )}
      <button
        type="button"
        class="button is-small"
        disabled={!canCompare}
        title={
          canCompare
            ? undefined
            : t('Select two to {count} stones to compare them', { count: COMPARED_MAX })
        }
        onClick={compare}
      >
        {t('Compare')}
      </button>
      <AskQuoteButton
        class="button is-small"
        lines={gems.map((gem) => ({
          sku: gem.sku,
          quantity: 1,
          name: gemName(gem),
          price: gem.wholesale_price,
          price_currency: gem.currency_code,
        }))}
      />
      <WatchAllButton skus={gems.map(({ sku }) => sku)} />
      <FormatButtons
        isSmall
        onSave={(format) => void downloadStones(format, gems, columnsOf(chosen))}
      />
      <button type="button" class="button is-small is-quiet" onClick={selection.clear}>
        {tIn('selection', 'Clear')}
      </button>
    </>
  )
}
