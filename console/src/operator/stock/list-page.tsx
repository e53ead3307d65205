import { useState } from 'preact/hooks'
import { useRead } from '../../api/hooks.ts'
import { listStock, type StockGem, type StockQuery } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { carats, dateTime, humanize, money, plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import {
  SelectAll,
  SelectedNote,
  type Selection,
  SelectRow,
  useSelection,
} from '../../parts/table/selection.tsx'
import { SortHead, sortParams, useSort } from '../../parts/table/sort.tsx'
import { valueLabel } from '../../stones/labels.ts'
import { EXPORTED, exportOf } from './export.ts'
import { StateTag } from './state-tag.tsx'
import { SupplierFilter } from './supplier-filter.tsx'

const LIMIT = 50

type State = NonNullable<StockQuery['state']>
type Kind = NonNullable<StockQuery['product_type']>

const STATES: readonly State[] = ['available', 'held', 'memo', 'sold', 'gone', 'disabled']
const KINDS: readonly Kind[] = ['diamond', 'melee', 'gemstone']
/** What the list can be sorted by, in the names of the interface. */
export const STOCK_SORTS = ['sku', 'weight', 'wholesale_price', 'updated_on'] as const

/** Every stone of every supplier, in every state, found by any of its numbers. */
export function StockPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const filters = {
    q: params.get('q') || undefined,
    supplier: params.get('supplier') || undefined,
    state: STATES.find((state) => state === params.get('state')),
    product_type: KINDS.find((kind) => kind === params.get('kind')),
  }
  const search = { ...filters, ...sortParams(useSort(STOCK_SORTS)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listStock(query, signal))
  const total = reading.value?.total ?? 0
  const gems = reading.value?.gems ?? []
  const selection = useSelection(JSON.stringify(filters), gems, ({ sku }) => sku)
  return (
    <>
      <div class="page-head">
        <h1>{t('Stock')}</h1>
        {reading.value && <span class="muted">{plural(total, 'stone')}</span>}
        <div class="page-tools">
          <ExportButton
            name={t('stock.csv')}
            columns={EXPORTED}
            read={exportOf(search)}
            selected={selection.rows}
          />
        </div>
      </div>
      <div class="stack">
        <StockFilters
          key={search.q}
          q={search.q ?? ''}
          state={search.state}
          kind={search.product_type}
        />
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value && total === 0 && (
          <Empty title={t('No stones found')}>
            <a class="button" href="/operator/stock">
              {t('Show all stones')}
            </a>
          </Empty>
        )}
        <SelectedNote selection={selection} />
        {gems.length > 0 && <StockTable gems={gems} selection={selection} />}
      </div>
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function StockFilters(props: { q: string; state: State | undefined; kind: Kind | undefined }) {
  const [q, setQ] = useState(props.q)
  const choose = (changes: Record<string, string | undefined>) =>
    go(withParams({ ...changes, offset: undefined }))
  return (
    <form
      class="form"
      aria-label={t('Find stones')}
      onSubmit={(event) => {
        event.preventDefault()
        choose({ q: q.trim() })
      }}
    >
      <TextField
        label={t('SKU, stock number or certificate')}
        type="search"
        value={q}
        onInput={setQ}
      />
      <SupplierFilter />
      <SelectField<State | ''>
        label={t('State')}
        value={props.state ?? ''}
        options={[
          ['', t('In every state')],
          ...STATES.map((state) => [state, humanize(state)] as const),
        ]}
        onChange={(state) => choose({ state })}
      />
      <SelectField<Kind | ''>
        label={t('Kind')}
        value={props.kind ?? ''}
        options={[['', t('All kinds')], ...KINDS.map((kind) => [kind, humanize(kind)] as const)]}
        onChange={(kind) => choose({ kind })}
      />
      <button type="submit" class="button is-main">
        {t('Find')}
      </button>
    </form>
  )
}

/** A list of stones; without a selection on a page that shows a few of them. */
export function StockTable(props: { gems: readonly StockGem[]; selection?: Selection<StockGem> }) {
  const { gems, selection } = props
  return (
    <ScrollArea label={t('Stones')}>
      <table>
        <thead>
          <tr>
            {selection && <SelectAll selection={selection} rows={gems} />}
            <SortHead by="sku">{t('SKU')}</SortHead>
            <SortHead by="weight" first="desc">
              {t('Stone')}
            </SortHead>
            <th scope="col">{t('Certificate')}</th>
            <th scope="col">{t('Supplier')}</th>
            <th scope="col">{t('Stock number')}</th>
            <th scope="col">{t('State')}</th>
            <SortHead by="wholesale_price" first="desc" class="number">
              {t('Wholesale')}
            </SortHead>
            <SortHead by="updated_on" first="desc">
              {t('Changed')}
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {gems.map((gem) => (
            <StockRow key={gem.sku} gem={gem} selection={selection} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function StockRow(props: { gem: StockGem; selection: Selection<StockGem> | undefined }) {
  const { gem, selection } = props
  return (
    <tr>
      {selection && <SelectRow selection={selection} row={gem} name={gem.sku} />}
      <td>
        <a class="mono number" href={`/operator/stock/${gem.sku}`}>
          {gem.sku}
        </a>
      </td>
      <td>
        <span class="number">{stoneText(gem)}</span>
      </td>
      <td>
        <span class="mono number">{[gem.lab, gem.cert_num].filter(Boolean).join(' ') || '–'}</span>
      </td>
      <td>{gem.supplier}</td>
      <td class="mono">{gem.vendor_sku}</td>
      <td>
        <div class="row">
          <StateTag state={gem.state} />
          {gem.is_manual && <span class="tag is-warn">{t('overridden')}</span>}
        </div>
      </td>
      <td class="number">{money(gem.wholesale_price, 'USD')}</td>
      <td>{dateTime(gem.updated_on)}</td>
    </tr>
  )
}

/** `1.01 ct round G VS1`. */
function stoneText(gem: StockGem): string {
  const kind = gem.species ? humanize(gem.species) : undefined
  const color = gem.color && valueLabel(gem.color)
  const parts = [carats(gem.weight), kind, humanize(gem.shape), color, gem.clarity]
  return parts.filter(Boolean).join(' ')
}
