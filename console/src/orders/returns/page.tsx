import { PAGE_ROWS_MAX } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { listReturns, type OrderReturn } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { capitalize, humanize, plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import {
  SelectAllBox,
  SelectBox,
  SelectedNote,
  useSelection,
} from '../../parts/table/selection.tsx'
import { sortParams, useSort } from '../../parts/table/sort.tsx'
import { TradeHead } from '../head.tsx'
import { ReturnPanel } from './return-panel.tsx'

const LIMIT = 20

const COLUMNS: readonly (readonly [string, (each: OrderReturn) => Cell])[] = [
  [t('Return'), ({ uuid }) => uuid],
  [t('Order'), ({ external_order_id }) => external_order_id],
  [t('Status'), ({ status }) => status],
  [t('Requested'), ({ created_on }) => created_on],
  [t('Reason'), ({ reason }) => reason],
  [t('Rejected because'), ({ reject_reason }) => reject_reason],
  [t('SKUs'), ({ line_items }) => line_items.map(({ sku }) => sku).join(' ')],
  [t('Total in USD'), ({ total }) => total],
]
type Status = OrderReturn['status']
const STATUSES: readonly Status[] = ['requested', 'approved', 'rejected', 'received']

/** Returns have a panel each, so that their order is chosen above all of them. */
const SORTS = ['created_on', 'external_order_id', 'status', 'total'] as const
const ORDERS = [
  ['', t('Newest first')],
  ['created_on', t('Oldest first')],
  ['external_order_id', t('By order')],
  ['status', t('By status')],
  ['-total', t('Largest value first')],
] as const

/** The merchant's returns, newest first unless sorted otherwise, each with its steps. */
export function ReturnsPage() {
  const { params } = useLocation()
  const chosen = STATUSES.find((status) => status === params.get('status'))
  const offset = useOffset()
  const search = { ...sortParams(useSort(SORTS)), ...(chosen && { status: [chosen] }) }
  const reading = useRead(JSON.stringify({ ...search, offset }), (signal) =>
    listReturns({ ...search, limit: LIMIT, offset }, signal),
  )
  const { returns = [], total = 0 } = reading.value ?? {}
  const selection = useSelection(chosen ?? '', returns, ({ uuid }) => uuid)
  return (
    <>
      <TradeHead>
        {reading.value && <span class="muted">{plural(total, 'return')}</span>}
        <div class="page-tools">
          <SelectField<Status | ''>
            label={t('Status')}
            hideLabel
            value={chosen ?? ''}
            options={[
              ['', t('Any status')],
              ...STATUSES.map((status) => [status, capitalize(humanize(status))] as const),
            ]}
            onChange={(status) => go(withParams({ status, offset: undefined }))}
          />
          <SelectField<string>
            label={t('Order of the list')}
            hideLabel
            value={params.get('sort') ?? ''}
            options={ORDERS}
            onChange={(sort) => go(withParams({ sort, offset: undefined }))}
          />
          <ExportButton
            name="returns.csv"
            columns={COLUMNS}
            read={async (from) => {
              const page = await listReturns({ ...search, limit: PAGE_ROWS_MAX, offset: from })
              return { rows: page.returns, total: page.total }
            }}
            selected={selection.rows}
          />
        </div>
      </TradeHead>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title={t('No returns found')}>
          <p class="muted">{t('A return is requested on the page of the order.')}</p>
          <a class="button" href="/orders?shipping=fulfilled">
            {t('Shipped orders')}
          </a>
        </Empty>
      )}
      {total > 0 && (
        <div class="row is-one-line">
          <SelectAllBox selection={selection} rows={returns} />
          <span class="muted">{t('Select all rows of this page')}</span>
        </div>
      )}
      <SelectedNote selection={selection} />
      {returns.map((each) => (
        <ReturnPanel key={each.uuid} found={each} showOrder>
          <SelectBox selection={selection} row={each} name={each.external_order_id} />
        </ReturnPanel>
      ))}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}
