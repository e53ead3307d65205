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
import { EXPORTED, exportOf } from './export.ts'
import { StateTag } from './state-tag.tsx'
import { SupplierFilter } from './supplier-filter.tsx'

const LIMIT = 50

type State = NonNullable<StockQuery['state']>
type Kind = NonNullable<StockQuery['product_type']>

const STATES: readonly State[] = ['available', 'held', 'memo', 'sold', 'gone', 'disabled']
const KINDS: readonly Kind[] = ['diamond', 'melee', 'gemstone']

/** Every stone of every supplier, in every state, found by any of its numbers. */
export function StockPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const search = {
    q: params.get('q') || undefined,
    supplier: params.get('supplier') || undefined,
    state: STATES.find((state) => state === params.get('state')),
    product_type: KINDS.find((kind) => kind === params.get('kind')),
  }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listStock(query, signal))
  const total = reading.value?.total ?? 0
  return (
    <>
      <div class="page-head">
        <h1>{t('Stock')}</h1>
        {reading.value && <span class="muted">{plural(total, 'stone')}</span>}
        <div class="page-tools">
          <ExportButton name={t('stock.csv')} columns={EXPORTED} read={exportOf(search)} />
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
        {total > 0 && reading.value && <StockTable gems={reading.value.gems} />}
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

function StockTable({ gems }: { gems: StockGem[] }) {
  return (
    <ScrollArea label={t('Stones')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('SKU')}</th>
            <th scope="col">{t('Stone')}</th>
            <th scope="col">{t('Certificate')}</th>
            <th scope="col">{t('Supplier')}</th>
            <th scope="col">{t('Stock number')}</th>
            <th scope="col">{t('State')}</th>
            <th scope="col" class="number">
              {t('Wholesale')}
            </th>
            <th scope="col">{t('Changed')}</th>
          </tr>
        </thead>
        <tbody>
          {gems.map((gem) => (
            <tr key={gem.sku}>
              <td>
                <a class="mono number" href={`/operator/stock/${gem.sku}`}>
                  {gem.sku}
                </a>
              </td>
              <td>
                <span class="number">{stoneText(gem)}</span>
              </td>
              <td>
                <span class="mono number">
                  {[gem.lab, gem.cert_num].filter(Boolean).join(' ') || '–'}
                </span>
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
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** `1.01 ct round G VS1`. */
function stoneText(gem: StockGem): string {
  const kind = gem.species ? humanize(gem.species) : undefined
  const parts = [carats(gem.weight), kind, humanize(gem.shape), gem.color, gem.clarity]
  return parts.filter(Boolean).join(' ')
}
