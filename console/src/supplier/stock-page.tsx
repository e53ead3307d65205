import { useRead } from '../api/hooks.ts'
import { listSupplierStock, type SupplierStone } from '../api/supplier.ts'
import { carats, dateTime, humanize, money, plural } from '../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { NumberSearch } from './orders-page.tsx'

const LIMIT = 50

const STATES = [
  ['', 'In every state'],
  ['available', 'On sale'],
  ['held', 'On hold'],
  ['memo', 'On memo'],
  ['sold', 'Sold'],
  ['gone', 'No longer in your file'],
  ['disabled', 'Taken off sale by the operator'],
] as const

type State = (typeof STATES)[number][0]

/** The supplier's stones as its files wrote them, with what became of each. */
export function SupplierStockPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const state = (params.get('state') ?? '') as State
  const search = {
    q: params.get('q') || undefined,
    state: state || undefined,
    limit: LIMIT,
    offset,
  }
  const reading = useRead(JSON.stringify(search), (signal) => listSupplierStock(search, signal))
  const total = reading.value?.total ?? 0
  return (
    <>
      <div class="page-head">
        <h1>Your stock</h1>
        {reading.value && <span class="muted">{plural(total, 'stone')}</span>}
        <div class="page-tools">
          <SelectField<State>
            label="State"
            hideLabel
            value={state}
            options={STATES}
            onChange={(value) => go(withParams({ state: value || undefined, offset: undefined }))}
          />
        </div>
      </div>
      <NumberSearch label="Search by stock number, SKU or certificate" />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title="No stones found">
          <a class="button" href="/supplier/imports">
            Import a file
          </a>
        </Empty>
      )}
      {reading.value && total > 0 && <StoneTable stones={reading.value.stones} />}
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

function StoneTable({ stones }: { stones: SupplierStone[] }) {
  return (
    <ScrollArea label="Stones">
      <table>
        <thead>
          <tr>
            <th scope="col">Stock number</th>
            <th scope="col">Stone</th>
            <th scope="col">Certificate</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Left
            </th>
            <th scope="col" class="number">
              Your price
            </th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {stones.map((stone) => (
            <tr key={stone.sku}>
              <td>
                {String(stone.vendor_sku)}
                <div class="muted small mono">{stone.sku}</div>
              </td>
              <td>{nameOf(stone)}</td>
              <td>{textOf(stone.lab, stone.cert_num)}</td>
              <td>
                <span class={`tag ${TONES[stone.state] ?? ''}`}>{LABELS.get(stone.state)}</span>
              </td>
              <td class="number">{stone.quantity}</td>
              <td class="number">{money(stone.price, 'USD')}</td>
              <td>{dateTime(stone.updated_on)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function nameOf({ weight, shape, species, color, clarity }: SupplierStone): string {
  const kind = humanize(textOf(species) || textOf(shape))
  return textOf(carats(Number(weight)), kind, color, clarity)
}

/** What is known, with spaces between; fields of a feed have every type. */
function textOf(...values: unknown[]): string {
  const known = values.filter((value) => typeof value === 'string' || typeof value === 'number')
  return known.join(' ')
}
