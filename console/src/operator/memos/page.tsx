import { useState } from 'preact/hooks'
import { PAGE_ROWS_MAX } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { listOperatorMemos, type MemoTotals, type OperatorMemo } from '../../api/operator/memos.ts'
import { t } from '../../language/language.ts'
import { money, plural } from '../../lib/format.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox } from '../../parts/fields.tsx'
import { SelectedNote, type Selection, useSelection } from '../../parts/table/selection.tsx'
import { useSorted } from '../../parts/table/sort.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useMerchantNames } from '../merchants/names.ts'
import { MerchantSelect } from '../merchants/select.tsx'
import { ExtendDialog } from '../orders/extend-dialog.tsx'
import { BUCKETS, bucketLabel } from './buckets.ts'
import { MerchantLedger } from './merchant-ledger.tsx'
import { MEMO_VALUES, MemoTable } from './table.tsx'

/** Lines that are read and shown at most; beyond them one looks at one merchant at a time. */
const LINES_MAX = 2_000

/** What merchants have on memo, by how late it is. */
export function OperatorMemosPage() {
  const { params } = useLocation()
  const merchant_uuid = params.get('merchant') || undefined
  const overdue = params.get('overdue') === 'yes' || undefined
  const reading = useRead(JSON.stringify({ merchant_uuid, overdue }), (signal) =>
    readMemos({ merchant_uuid, overdue }, signal),
  )
  const [extended, setExtended] = useState<OperatorMemo>()
  const { memos: found, total = 0, totals } = reading.value ?? {}
  const memos = useSorted(found ?? [], MEMO_VALUES)
  const filters = JSON.stringify({ merchant_uuid, overdue })
  const selection = useSelection(filters, memos, ({ line_item_uuid }) => line_item_uuid)
  return (
    <>
      <Head
        total={reading.value && total}
        memos={memos}
        selection={selection}
        isOverdue={overdue === true}
      />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!found && !reading.problem && <Loading />}
      {totals && <Buckets totals={totals} />}
      {found?.length === 0 && <Empty title={t('Nothing is on memo')} />}
      {found && memos.length < total && (
        <p class="note is-warn">
          {t('The first {count} are shown; choose a merchant to see the others.', {
            count: plural(memos.length, 'line'),
          })}
        </p>
      )}
      {memos.length > 0 && (
        <div class="stack">
          {!merchant_uuid && <MerchantLedger memos={memos} />}
          <SelectedNote selection={selection} />
          <MemoTable memos={memos} selection={selection} onExtend={setExtended} />
        </div>
      )}
      {extended && (
        <ExtendDialog
          uuid={extended.order_uuid}
          memo_id={extended.memo_id}
          due_date={extended.due_date}
          onClose={() => setExtended(undefined)}
          onDone={() => {
            setExtended(undefined)
            showToast(t('The memo is extended.'))
            reading.reload()
          }}
        />
      )}
    </>
  )
}

type Query = Pick<Parameters<typeof listOperatorMemos>[0], 'merchant_uuid' | 'overdue'>

async function readMemos(query: Query, signal: AbortSignal) {
  const first = await listOperatorMemos({ ...query, limit: PAGE_ROWS_MAX, offset: 0 }, signal)
  const memos = [...first.memos]
  while (memos.length < Math.min(first.total, LINES_MAX)) {
    const next = await listOperatorMemos(
      { ...query, limit: PAGE_ROWS_MAX, offset: memos.length },
      signal,
    )
    if (next.memos.length === 0) break
    memos.push(...next.memos)
  }
  return { memos, total: first.total, totals: first.totals }
}

const COLUMNS: readonly (readonly [string, (memo: OperatorMemo) => Cell])[] = [
  [t('Memo'), ({ memo_id }) => memo_id],
  [t('Order'), ({ order_id }) => order_id],
  [t('Merchant'), ({ merchant_legal_dba }) => merchant_legal_dba],
  [t('SKU'), ({ sku }) => sku],
  [t('Quantity'), ({ quantity }) => quantity],
  [t('Value in USD'), ({ value }) => value],
  [t('Due back'), ({ due_date }) => due_date],
  [t('Days left'), ({ days_left }) => days_left],
  [t('Days late'), ({ bucket }) => bucket],
]

function Head(props: {
  total: number | undefined
  memos: readonly OperatorMemo[]
  selection: Selection<OperatorMemo>
  isOverdue: boolean
}) {
  const { total, memos, selection, isOverdue } = props
  return (
    <div class="page-head">
      <h1>{t('Memos')}</h1>
      {total !== undefined && <span class="muted">{plural(total, 'line')}</span>}
      <div class="page-tools">
        <MerchantSelect names={useMerchantNames()} />
        <Checkbox
          checked={isOverdue}
          onChange={(on) => go(withParams({ overdue: on ? 'yes' : undefined }))}
        >
          {t('Only overdue')}
        </Checkbox>
        <ExportButton
          name="memos.csv"
          columns={COLUMNS}
          read={async () => ({ rows: memos, total: memos.length })}
          selected={selection.rows}
        />
      </div>
    </div>
  )
}

function Buckets({ totals }: { totals: MemoTotals }) {
  return (
    <dl class="tiles">
      {BUCKETS.map((bucket) => (
        <div key={bucket} class="tile">
          <dt>{bucketLabel(bucket)}</dt>
          <dd class={bucket !== 'current' && totals[bucket] > 0 ? 'is-gone' : undefined}>
            {money(totals[bucket], 'USD')}
          </dd>
        </div>
      ))}
    </dl>
  )
}
