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
import { TradeHead } from '../head.tsx'
import { ReturnPanel } from './return-panel.tsx'

const LIMIT = 20
const EXPORT_LIMIT = 200

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

/** The merchant's returns, newest first, each with its steps. */
export function ReturnsPage() {
  const { params } = useLocation()
  const chosen = STATUSES.find((status) => status === params.get('status'))
  const offset = useOffset()
  const filters = chosen ? { status: [chosen] } : {}
  const reading = useRead(JSON.stringify({ ...filters, offset }), (signal) =>
    listReturns({ ...filters, limit: LIMIT, offset }, signal),
  )
  const total = reading.value?.total ?? 0
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
          <ExportButton
            name="returns.csv"
            columns={COLUMNS}
            read={async (from) => {
              const page = await listReturns({ ...filters, limit: EXPORT_LIMIT, offset: from })
              return { rows: page.returns, total: page.total }
            }}
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
      {reading.value?.returns.map((each) => (
        <ReturnPanel key={each.uuid} found={each} showOrder />
      ))}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}
