import { useState } from 'preact/hooks'
import { PAGE_ROWS_MAX } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { listSupplierStock, type SupplierStone } from '../api/supplier.ts'
import { t } from '../language/language.ts'
import { carats, count, dateTime, humanize, money, plural } from '../lib/format.ts'
import { useLocation, useOffset } from '../lib/router.ts'
import type { Cell } from '../lib/workbook.ts'
import { ExportButton } from '../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { ChoiceFilter } from '../parts/table/choice-filter.tsx'
import {
  SelectAll,
  SelectedNote,
  type Selection,
  SelectRow,
  useSelection,
} from '../parts/table/selection.tsx'
import { SortHead, sortParams, useSort } from '../parts/table/sort.tsx'
import { TextSearch } from '../parts/table/text-search.tsx'
import { StoneDialog } from './stone-dialog.tsx'

const LIMIT = 50

const STATES = [
  ['', t('In every state')],
  ['available', t('On sale')],
  ['held', t('On hold')],
  ['memo', t('On memo')],
  ['sold', t('Sold')],
  ['gone', t('No longer in your file')],
  ['disabled', t('Taken off sale by the operator')],
] as const
const KINDS = [
  ['', t('All kinds')],
  ['diamond', t('Diamonds')],
  ['melee', t('Parcels')],
  ['gemstone', t('Gemstones')],
] as const

/** What stones can be sorted by, in the names of the interface. */
const SORTS = ['vendor_sku', 'weight', 'quantity', 'price', 'updated_on'] as const

type State = (typeof STATES)[number][0]
type Kind = (typeof KINDS)[number][0]

const cell = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number' ? value : undefined
const COLUMNS: readonly (readonly [string, (stone: SupplierStone) => Cell])[] = [
  [t('Stock number'), ({ vendor_sku }) => cell(vendor_sku)],
  [t('SKU'), ({ sku }) => sku],
  [t('State'), ({ state }) => state],
  [t('Shape'), ({ shape }) => cell(shape)],
  [t('Carat'), ({ weight }) => cell(weight)],
  [t('Color'), ({ color }) => cell(color)],
  [t('Clarity'), ({ clarity }) => cell(clarity)],
  [t('Grading lab'), ({ lab }) => cell(lab)],
  [t('Certificate'), ({ cert_num }) => cell(cert_num)],
  [t('Left'), ({ quantity }) => quantity],
  [t('Your price in USD'), ({ price }) => price],
]

/** The supplier's stones as its files wrote them, with what became of each. */
export function SupplierStockPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const state = (params.get('state') ?? '') as State
  const kind = (params.get('kind') ?? '') as Kind
  const filters = {
    q: params.get('q') || undefined,
    state: state || undefined,
    product_type: kind || undefined,
  }
  const search = { ...filters, ...sortParams(useSort(SORTS)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listSupplierStock(query, signal))
  const { stones = [], total = 0 } = reading.value ?? {}
  const selection = useSelection(JSON.stringify(filters), stones, ({ sku }) => sku)
  const exported = async (begin: number) => {
    const page = await listSupplierStock({ ...search, limit: PAGE_ROWS_MAX, offset: begin })
    return { rows: page.stones, total: page.total }
  }
  return (
    <>
      <div class="page-head">
        <h1>{t('Your stock')}</h1>
        {reading.value && <span class="muted">{plural(total, 'stone')}</span>}
        <div class="page-tools">
          <ChoiceFilter name="kind" label={t('Kind')} options={KINDS} />
          <ChoiceFilter name="state" label={t('State')} options={STATES} />
          <ExportButton
            name={t('stock.csv')}
            columns={COLUMNS}
            read={exported}
            selected={selection.rows}
          />
        </div>
      </div>
      <TextSearch label={t('Search by stock number, SKU or certificate')} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title={t('No stones found')}>
          {mayDo('inventory') && (
            <a class="button" href="/supplier/imports">
              {t('Import a file')}
            </a>
          )}
        </Empty>
      )}
      <SelectedNote selection={selection} />
      {total > 0 && <StoneTable stones={stones} selection={selection} />}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

const TONES: Partial<Record<string, string>> = {
  available: 'is-good',
  held: 'is-accent',
  memo: 'is-accent',
  sold: 'is-warn',
  disabled: 'is-bad',
}
const LABELS = new Map<string, string>(STATES)

interface Listed {
  selection: Selection<SupplierStone>
}

function StoneTable({ stones, selection }: Listed & { stones: readonly SupplierStone[] }) {
  const [shown, setShown] = useState<SupplierStone>()
  return (
    <>
      <ScrollArea label={t('Stones')}>
        <table>
          <thead>
            <tr>
              <SelectAll selection={selection} rows={stones} />
              <SortHead by="vendor_sku">{t('Stock number')}</SortHead>
              <SortHead by="weight" first="desc">
                {t('Stone')}
              </SortHead>
              <th scope="col">{t('Certificate')}</th>
              <th scope="col">{t('State')}</th>
              <SortHead by="quantity" first="desc" class="number">
                {t('Left')}
              </SortHead>
              <SortHead by="price" first="desc" class="number">
                {t('Your price')}
              </SortHead>
              <SortHead by="updated_on" first="desc">
                {t('Changed')}
              </SortHead>
            </tr>
          </thead>
          <tbody>
            {stones.map((stone) => (
              <StoneRow
                key={stone.sku}
                stone={stone}
                selection={selection}
                onShow={() => setShown(stone)}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {shown && <StoneDialog stone={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function StoneRow(props: Listed & { stone: SupplierStone; onShow: () => void }) {
  const { stone, selection, onShow } = props
  return (
    <tr>
      <SelectRow selection={selection} row={stone} name={String(stone.vendor_sku)} />
      <td>
        <button type="button" class="link" onClick={onShow}>
          {String(stone.vendor_sku)}
        </button>
        <div class="muted small mono">{stone.sku}</div>
      </td>
      <td>{nameOf(stone)}</td>
      <td>{textOf(stone.lab, stone.cert_num)}</td>
      <td>
        <span class={`tag ${TONES[stone.state] ?? ''}`}>{LABELS.get(stone.state)}</span>
      </td>
      <td class="number">{count(stone.quantity)}</td>
      <td class="number">{money(stone.price, 'USD')}</td>
      <td>{dateTime(stone.updated_on)}</td>
    </tr>
  )
}

function nameOf({ weight, shape, species, color, clarity }: SupplierStone): string {
  const kind = humanize(textOf(species) || textOf(shape))
  const shade = typeof color === 'string' && color ? humanize(color) : ''
  return textOf(carats(Number(weight)), kind, shade, clarity)
}

/** What is known, with spaces between; fields of a feed have every type. */
function textOf(...values: unknown[]): string {
  const known = values.filter((value) => typeof value === 'string' || typeof value === 'number')
  return known.join(' ')
}
