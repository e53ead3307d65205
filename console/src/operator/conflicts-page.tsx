import { PAGE_ROWS_MAX } from '../api/client.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { type Conflict, decideConflict, listConflicts } from '../api/stock.ts'
import { t } from '../language/language.ts'
import { fieldLabel } from '../lib/field-name.ts'
import { carats, humanize, plural } from '../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../lib/router.ts'
import type { Cell } from '../lib/workbook.ts'
import { confirmed } from '../parts/confirm.tsx'
import { ExportButton } from '../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { BulkButton } from '../parts/table/bulk-button.tsx'
import {
  SelectAllBox,
  SelectBox,
  SelectedNote,
  type Selection,
  useSelection,
} from '../parts/table/selection.tsx'
import { sortParams, useSort } from '../parts/table/sort.tsx'
import { showToast } from '../parts/toast.tsx'
import { valueLabel } from '../stones/labels.ts'
import { ReviewHead } from './stock/review-tabs.tsx'
import { StateTag } from './stock/state-tag.tsx'

const LIMIT = 25

/** Certificates have a table each, so that their order is chosen above all of them. */
const SORTS = ['cert_num', 'lab', 'suppliers', 'listed_on'] as const
const ORDERS = [
  ['', t('By certificate number')],
  ['lab', t('By laboratory')],
  ['-listed_on', t('Newest listing first')],
  ['listed_on', t('Oldest listing first')],
  ['-suppliers', t('Most suppliers first')],
] as const

type Listing = Conflict['stones'][number] & { conflict: Conflict }
const COLUMNS: readonly (readonly [string, (row: Listing) => Cell])[] = [
  [t('Grading lab'), ({ conflict }) => conflict.lab],
  [t('Certificate'), ({ conflict }) => conflict.cert_num],
  [t('Differs in'), ({ conflict }) => conflict.contradicts.map(fieldLabel).join(', ')],
  [t('SKU'), ({ sku }) => sku],
  [t('Supplier'), ({ supplier }) => supplier],
  [t('Stock number'), ({ vendor_sku }) => vendor_sku],
  [t('Carat'), ({ weight }) => weight],
  [t('Shape'), ({ shape }) => shape],
  [t('Color'), ({ color }) => color],
  [t('Clarity'), ({ clarity }) => clarity],
  [t('Type'), ({ type }) => type],
  [t('State'), ({ state }) => state],
]

/** Certificates whose listings contradict each other, until the operator decides. */
export function ConflictsPage() {
  const offset = useOffset()
  const { params } = useLocation()
  const supplier = params.get('supplier') || undefined
  const search = { supplier, ...sortParams(useSort(SORTS)) }
  const query = { ...search, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listConflicts(query, signal))
  const { conflicts = [], total = 0 } = reading.value ?? {}
  const selection = useSelection(supplier ?? '', conflicts, nameOf)
  return (
    <>
      <ReviewHead
        lead={t(
          'Listings of one certificate that contradict each other; sold as one until you decide.',
        )}
      >
        <SelectField<string>
          label={t('Order of the list')}
          hideLabel
          value={params.get('sort') ?? ''}
          options={ORDERS}
          onChange={(sort) => go(withParams({ sort, offset: undefined }))}
        />
        <ExportButton
          name={t('conflicts.csv')}
          columns={COLUMNS}
          read={exportOf(search)}
          selected={selection.rows.flatMap(listingsOf)}
        />
      </ReviewHead>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && <Empty title={t('No conflicts')} />}
      <div class="stack">
        {total > 0 && (
          <div class="row">
            <SelectAllBox selection={selection} rows={conflicts} />
            <span class="muted">{plural(total, 'certificate')}</span>
          </div>
        )}
        <SelectedConflicts selection={selection} onDone={reading.reload} />
        {conflicts.map((conflict) => (
          <ConflictPanel
            key={nameOf(conflict)}
            conflict={conflict}
            selection={selection}
            onDecided={reading.reload}
          />
        ))}
      </div>
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function nameOf({ lab, cert_num }: Conflict): string {
  return [lab, cert_num].filter(Boolean).join(' ')
}

function listingsOf(conflict: Conflict): Listing[] {
  return conflict.stones.map((stone) => ({ ...stone, conflict }))
}

/** Decides about several at once; which listing is kept is chosen for each by itself. */
function SelectedConflicts(props: { selection: Selection<Conflict>; onDone: () => void }) {
  const { rows } = props.selection
  const certificates = plural(rows.length, 'certificate')
  return (
    <SelectedNote selection={props.selection}>
      <BulkButton
        {...props}
        scope="inventory"
        rows={rows}
        label={t('Sell the listings of {certificates} apart', { certificates })}
        text={t('Each is sold by itself, also with later files, until you keep one of them.')}
        step={(conflict) => decideConflict(conflict, { decision: 'apart' })}
      />
    </SelectedNote>
  )
}

/** One row of the file for each listing; the list is paged by certificates. */
function exportOf(search: object) {
  let begun = 0
  let written = 0
  return async (offset: number) => {
    if (offset === 0) begun = written = 0
    const page = await listConflicts({ ...search, limit: PAGE_ROWS_MAX, offset: begun })
    begun += page.conflicts.length
    const rows = page.conflicts.flatMap(listingsOf)
    written += rows.length
    return { rows, total: written + (begun < page.total ? 1 : 0) }
  }
}

function ConflictPanel(props: {
  conflict: Conflict
  selection: Selection<Conflict>
  onDecided: () => void
}) {
  const { conflict, selection, onDecided } = props
  const name = nameOf(conflict)
  const action = useAction()
  const decide = (kept?: string) =>
    action.run(async () => {
      if (!(await confirmed(questionOf(name, kept)))) return
      const decision = kept
        ? { decision: 'keep' as const, sku: kept }
        : { decision: 'apart' as const }
      const { disabled } = await decideConflict(conflict, decision)
      const others = disabled.join(', ')
      showToast(
        kept
          ? t('{sku} is kept. Disabled: {others}', { sku: kept, others: others || '–' })
          : t('The listings of {name} are sold apart.', { name }),
      )
      onDecided()
    })
  return (
    <ScrollArea label={t('Certificate {name}', { name })}>
      <div class="panel-head">
        <SelectBox selection={selection} row={conflict} name={name} />
        <h2>{name}</h2>
        {conflict.contradicts.map((field) => (
          <span key={field} class="tag is-bad">
            {t('{field} differs', { field: fieldLabel(field) })}
          </span>
        ))}
        <span class="tag">{plural(conflict.suppliers, 'supplier')}</span>
        {mayDo('inventory') && (
          <div class="panel-tools">
            <button
              type="button"
              class="button is-small"
              disabled={action.busy}
              aria-label={t('They are different stones: {name}', { name })}
              onClick={() => void decide()}
            >
              {t('They are different stones')}
            </button>
          </div>
        )}
      </div>
      <ProblemNote problem={action.problem} />
      <ConflictTable conflict={conflict} busy={action.busy} onKeep={(sku) => void decide(sku)} />
    </ScrollArea>
  )
}

function questionOf(name: string, kept: string | undefined) {
  if (kept) {
    return {
      title: t('Keep {sku} for {name}?', { sku: kept, name }),
      text: t(
        'The others are disabled, and holds on them end. They can be enabled in the stock again.',
      ),
      action: t('Keep this one'),
      isDanger: true,
    }
  }
  return {
    title: t('Sell the listings of {name} apart?', { name }),
    text: t('Each is sold by itself, also with later files, until you keep one of them.'),
    action: t('Sell apart'),
  }
}

function ConflictTable(props: {
  conflict: Conflict
  busy: boolean
  onKeep: (sku: string) => void
}) {
  const { contradicts, stones } = props.conflict
  const cell = (field: string, text: string) => (
    <td class={contradicts.includes(field) ? 'is-differing' : undefined}>{text}</td>
  )
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('SKU')}</th>
          <th scope="col">{t('Supplier')}</th>
          <th scope="col">{t('Stock number')}</th>
          {['weight', 'shape', 'color', 'clarity', 'type'].map((field) => (
            <th key={field} scope="col">
              {fieldLabel(field)}
            </th>
          ))}
          <th scope="col">{t('State')}</th>
          {mayDo('inventory') && <th scope="col">{t('Decision')}</th>}
        </tr>
      </thead>
      <tbody>
        {stones.map((stone) => (
          <tr key={stone.sku}>
            <td>
              <a class="mono number" href={`/operator/stock/${stone.sku}`}>
                {stone.sku}
              </a>
            </td>
            <td>{stone.supplier}</td>
            <td class="mono">{stone.vendor_sku}</td>
            {cell('weight', carats(stone.weight))}
            {cell('shape', humanize(stone.shape))}
            {cell('color', stone.color ? valueLabel(stone.color) : '–')}
            {cell('clarity', stone.clarity ?? '–')}
            {cell('type', humanize(stone.type))}
            <td>
              <StateTag state={stone.state} />
            </td>
            {mayDo('inventory') && (
              <td>
                <button
                  type="button"
                  class="button is-small"
                  disabled={props.busy}
                  aria-label={t('Keep this one: {sku}', { sku: stone.sku })}
                  onClick={() => props.onKeep(stone.sku)}
                >
                  {t('Keep this one')}
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
