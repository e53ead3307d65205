import { PAGE_ROWS_MAX } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { listMemos, type Memo, type MemoLedger, readAccount } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { count, date, dateTime, money, plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox } from '../../parts/fields.tsx'
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
import { Goods, goodsName } from '../goods.tsx'
import { TradeHead } from '../head.tsx'
import { productHref } from '../links.tsx'
import { daysText } from './days.ts'

const LIMIT = 50

/** What lines can be sorted by, in the names of the interface. */
const HEADS = [
  ['name', t('Item')],
  ['memo_id', t('Memo')],
  ['ordered_on', t('Since')],
  ['due_date', t('Due back')],
  ['quantity', t('Quantity'), 'number'],
  ['value', t('Value'), 'number'],
] as const
const SORTS = HEADS.map(([by]) => by)

const COLUMNS: readonly (readonly [string, (memo: Memo) => Cell])[] = [
  [t('Memo'), ({ memo_id }) => memo_id],
  [t('Order'), ({ external_order_id }) => external_order_id],
  [t('SKU'), ({ sku }) => sku],
  [t('Item'), (memo) => goodsName(memo).text],
  [t('Since'), ({ ordered_on }) => ordered_on],
  [t('Due back'), ({ due_date }) => due_date],
  [t('Days left'), ({ days_left }) => days_left],
  [t('Quantity'), ({ quantity }) => quantity],
  [t('Value in USD'), ({ value }) => value],
]
type Bucket = Memo['bucket']

const BUCKETS: Record<Bucket, string> = {
  current: t('Not late'),
  '1-30': t('1 to 30 days late'),
  '31-60': t('31 to 60 days late'),
  '61-90': t('61 to 90 days late'),
  'over 90': t('More than 90 days late'),
}

/** What the merchant has on memo, line by line, the first due first unless sorted otherwise. */
export function MemosPage() {
  const { params } = useLocation()
  const isOverdue = params.get('overdue') === 'yes'
  const offset = useOffset()
  const search = { ...sortParams(useSort(SORTS)), ...(isOverdue && { overdue: true }) }
  const reading = useRead(JSON.stringify({ ...search, offset }), async (signal) => {
    const page = listMemos({ ...search, limit: LIMIT, offset }, signal)
    const [ledger, account] = await Promise.all([page, readAccount(signal)])
    return { ledger, account }
  })
  const ledger = reading.value?.ledger
  const memos = ledger?.memos ?? []
  const selection = useSelection(String(isOverdue), memos, (memo) => memo.line_item_uuid)
  return (
    <>
      <TradeHead>
        {ledger && <span class="muted">{plural(ledger.total, 'line')}</span>}
        <div class="page-tools">
          <Checkbox
            checked={isOverdue}
            onChange={(on) => go(withParams({ overdue: on ? 'yes' : '', offset: undefined }))}
          >
            {t('Only what is overdue')}
          </Checkbox>
          <ExportButton
            name="memos.csv"
            columns={COLUMNS}
            read={async (from) => {
              const page = await listMemos({ ...search, limit: PAGE_ROWS_MAX, offset: from })
              return { rows: page.memos, total: page.total }
            }}
            selected={selection.rows}
          />
        </div>
      </TradeHead>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && ledger && (
        <Ageing totals={ledger.totals} onMemo={reading.value.account.on_memo} />
      )}
      {ledger?.total === 0 && (
        <Empty title={isOverdue ? t('Nothing is overdue') : t('You have nothing on memo')} />
      )}
      <SelectedNote selection={selection} />
      {ledger && ledger.total > 0 && <MemoTable memos={memos} selection={selection} />}
      <Pager total={ledger?.total ?? 0} limit={LIMIT} offset={offset} />
    </>
  )
}

/** The value of what is on memo, by how late it is. */
function Ageing({ totals, onMemo }: { totals: MemoLedger['totals']; onMemo: number }) {
  const buckets = Object.entries(totals) as [Bucket, number][]
  return (
    <dl class="tiles">
      <div class="tile">
        <dt>{t('On memo')}</dt>
        <dd>{money(onMemo, 'USD')}</dd>
      </div>
      {buckets.map(([bucket, amount]) => (
        <div key={bucket} class="tile">
          <dt>{BUCKETS[bucket]}</dt>
          <dd class={bucket !== 'current' && amount > 0 ? 'is-gone' : undefined}>
            {money(amount, 'USD')}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function MemoTable(props: { memos: readonly Memo[]; selection: Selection<Memo> }) {
  const { memos, selection } = props
  return (
    <ScrollArea label={t('On memo')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={memos} />
            {HEADS.map(([by, label, kind]) => (
              <SortHead key={by} by={by} {...(kind && { class: kind, first: 'desc' })}>
                {label}
              </SortHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {memos.map((memo) => (
            <MemoRow key={memo.line_item_uuid} memo={memo} selection={selection} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function MemoRow({ memo, selection }: { memo: Memo; selection: Selection<Memo> }) {
  const href = productHref(memo)
  return (
    <tr>
      <SelectRow selection={selection} row={memo} name={memo.sku} />
      <td>
        {href ? (
          <a href={href}>
            <Goods line={memo} />
          </a>
        ) : (
          <Goods line={memo} />
        )}
        <div class="muted small mono">{memo.sku}</div>
      </td>
      <td>
        <a href={`/orders/${encodeURIComponent(memo.external_order_id)}`}>{memo.memo_id}</a>
        <div class="muted small">{memo.external_order_id}</div>
      </td>
      <td>{date(memo.ordered_on)}</td>
      <td title={dateTime(memo.due_date)}>
        <DueBack memo={memo} />
      </td>
      <td class="number">{count(memo.quantity)}</td>
      <td class="number">{money(memo.value, 'USD')}</td>
    </tr>
  )
}

function DueBack({ memo: { due_date, days_left } }: { memo: Memo }) {
  if (due_date === null || days_left === null) return <>{t('No date agreed')}</>
  const kind = days_left < 0 ? 'tag is-bad' : days_left <= 3 ? 'tag is-warn' : 'muted small'
  return (
    <>
      {date(due_date)} <span class={kind}>{daysText(days_left)}</span>
    </>
  )
}
