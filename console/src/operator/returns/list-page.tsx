import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { type OperatorOrder, readOperatorOrder } from '../../api/operator/orders.ts'
import {
  approveReturn,
  listOperatorReturns,
  type OperatorReturn,
  receiveReturn,
  rejectReturn,
} from '../../api/operator/returns.ts'
import { t } from '../../language/language.ts'
import { capitalize, humanize, money, plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { BulkButton } from '../../parts/table/bulk-button.tsx'
import { SelectedNote, type Selection, useSelection } from '../../parts/table/selection.tsx'
import { sortParams, useSort } from '../../parts/table/sort.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useMerchantNames } from '../merchants/names.ts'
import { MerchantSelect } from '../merchants/select.tsx'
import { RETURN_SORTS, ReturnTable } from './table.tsx'

const LIMIT = 50
type Status = OperatorReturn['status']
const STATUSES: readonly Status[] = ['requested', 'approved', 'received', 'rejected']
/** What somebody still has to do something about. */
const OPEN: readonly Status[] = ['requested', 'approved']
const OPTIONS: readonly (readonly [string, string])[] = [
  ['', t('Open returns')],
  ['all', t('All returns')],
  ...STATUSES.map((status) => [status, capitalize(humanize(status))] as const),
]

/** Returns of invoiced goods: to decide about, and to receive. */
export function OperatorReturnsPage() {
  const { params } = useLocation()
  const offset = useOffset()
  const names = useMerchantNames()
  const filters = searchIn(params)
  const search = { ...filters, ...sortParams(useSort(RETURN_SORTS)) }
  const reading = useRead(JSON.stringify({ ...search, offset }), (signal) =>
    listOperatorReturns({ ...search, limit: LIMIT, offset }, signal),
  )
  const steps = useSteps(reading.reload)
  const { returns, total = 0 } = reading.value ?? {}
  const selection = useSelection(JSON.stringify(filters), returns ?? [], ({ uuid }) => uuid)
  return (
    <>
      <div class="page-head">
        <h1>{t('Returns')}</h1>
        {returns && <span class="muted">{plural(total, 'return')}</span>}
        <div class="page-tools">
          <MerchantSelect names={names} />
          <SelectField<string>
            label={t('Status')}
            hideLabel
            value={params.get('status') ?? (params.get('order') ? 'all' : '')}
            options={OPTIONS}
            onChange={(status) => go(withParams({ status, offset: undefined }))}
          />
          <ExportButton
            name="returns.csv"
            columns={columnsFor(names)}
            read={async (from) => {
              const page = await listOperatorReturns({ ...search, limit: 200, offset: from })
              return { rows: page.returns, total: page.total }
            }}
            selected={selection.rows}
          />
        </div>
      </div>
      <ProblemNote problem={steps.problem ?? reading.problem} />
      {!returns && !reading.problem && <Loading />}
      {returns?.length === 0 && <Empty title={t('No returns found')} />}
      <SelectedReturns selection={selection} onDone={reading.reload} />
      {returns && returns.length > 0 && (
        <ReturnTable
          returns={returns}
          selection={selection}
          names={names}
          busy={steps.busy}
          onApprove={(each) => void steps.approve(each)}
          onReject={steps.setRejected}
          onReceive={(each) => void steps.receive(each)}
        />
      )}
      <Pager total={total} limit={LIMIT} offset={offset} />
      <Rejecting steps={steps} />
    </>
  )
}

/** Approves or receives several at once; each says for itself what may follow. */
function SelectedReturns(props: { selection: Selection<OperatorReturn>; onDone: () => void }) {
  const { selection } = props
  const withStatus = (wanted: Status) => selection.rows.filter(({ status }) => status === wanted)
  const [requested, approved] = [withStatus('requested'), withStatus('approved')]
  return (
    <SelectedNote selection={selection}>
      <BulkButton
        {...props}
        scope="orders:write"
        rows={requested}
        label={t('Approve {rows}', { rows: plural(requested.length, 'return') })}
        text={t('The merchants are told to send the goods back.')}
        step={({ uuid }) => approveReturn(uuid)}
      />
      <BulkButton
        {...props}
        scope="orders:write"
        rows={approved}
        label={t('Receive {rows}', { rows: plural(approved.length, 'return') })}
        text={t('The goods go back into stock, and the merchants are credited their price.')}
        step={({ uuid }) => receiveReturn(uuid)}
      />
    </SelectedNote>
  )
}

function Rejecting({ steps }: { steps: ReturnType<typeof useSteps> }) {
  const { rejected, setRejected, done } = steps
  if (!rejected) return null
  return (
    <ReasonDialog
      title={t('Reject the return')}
      text={t('The merchant keeps the goods and owes their price. This cannot be taken back.')}
      action={t('Reject')}
      isRequired
      refuse={(reason) => rejectReturn(rejected.uuid, reason)}
      onClose={() => setRejected(undefined)}
      onDone={() => done(t('The return is rejected.'))}
    />
  )
}

/** What the operator does with a return, and what it has begun. */
function useSteps(reload: () => void) {
  const [rejected, setRejected] = useState<OperatorReturn>()
  const { busy, problem, run } = useAction()
  const done = (text: string) => {
    setRejected(undefined)
    showToast(text)
    reload()
  }
  const approve = ({ uuid }: OperatorReturn) =>
    run(async () => {
      const title = t('Approve the return?')
      const text = t('The merchant is told to send the goods back.')
      if (!(await confirmed({ title, text, action: t('Approve') }))) return
      await approveReturn(uuid)
      done(t('The return is approved.'))
    })
  const receive = (received: OperatorReturn) =>
    run(async () => {
      const { uuid, order_uuid } = received
      const title = t('Are the goods back?')
      const text = creditText(received, await readOperatorOrder(order_uuid))
      if (!(await confirmed({ title, text, action: t('Goods received') }))) return
      await receiveReturn(uuid)
      done(t('The goods are received, and a credit note is issued.'))
    })
  return { busy, problem, rejected, setRejected, done, approve, receive }
}

/** What the merchant gets back: the price of the goods, less what a discount took off it. */
function creditText({ total, currency_code }: OperatorReturn, { charges }: OperatorOrder): string {
  const amount = money(total, currency_code)
  return charges.some(({ kind }) => kind === 'discount')
    ? t(
        'They go back into stock, and the merchant is credited {amount} less the discount on them.',
        { amount },
      )
    : t('They go back into stock, and the merchant is credited {amount}.', { amount })
}

/** Of one order all returns are shown, unless a status is chosen. */
function searchIn(params: URLSearchParams) {
  const status = params.get('status') ?? (params.get('order') ? 'all' : '')
  const statuses = status === '' ? [...OPEN] : status === 'all' ? undefined : [status as Status]
  return {
    status: statuses,
    merchant_uuid: params.get('merchant') || undefined,
    order_uuid: params.get('order') || undefined,
  }
}

function columnsFor(
  names: ReadonlyMap<string, string> | undefined,
): (readonly [string, (each: OperatorReturn) => Cell])[] {
  return [
    [t('Return'), ({ uuid }) => uuid],
    [t('Order'), ({ external_order_id }) => external_order_id],
    [t('Merchant'), ({ merchant_uuid }) => names?.get(merchant_uuid) ?? merchant_uuid],
    [t('Status'), ({ status }) => status],
    [t('Requested'), ({ created_on }) => created_on],
    [t('Reason'), ({ reason }) => reason],
    [t('Rejected because'), ({ reject_reason }) => reject_reason],
    [t('SKUs'), ({ line_items }) => line_items.map(({ sku }) => sku).join(' ')],
    [t('Total in USD'), ({ total }) => total],
  ]
}
