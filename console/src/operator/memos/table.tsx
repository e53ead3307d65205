import type { OperatorMemo } from '../../api/operator/memos.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { count, date, money, plural } from '../../lib/format.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SelectAll, type Selection, SelectRow } from '../../parts/table/selection.tsx'
import { SortHead } from '../../parts/table/sort.tsx'

/** What lines are sorted by. */
export const MEMO_VALUES = {
  memo: ({ memo_id }: OperatorMemo) => memo_id,
  merchant: ({ merchant_legal_dba }: OperatorMemo) => merchant_legal_dba,
  sku: ({ sku }: OperatorMemo) => sku,
  value: ({ value }: OperatorMemo) => value,
  due: ({ due_date }: OperatorMemo) => due_date,
}

/**
 * The lines that are out, the first due first unless sorted otherwise. Extending moves all lines of
 * a memo.
 */
export function MemoTable(props: {
  memos: readonly OperatorMemo[]
  selection: Selection<OperatorMemo>
  onExtend: (memo: OperatorMemo) => void
}) {
  const { memos } = props
  return (
    <ScrollArea label={t('Memos')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={props.selection} rows={memos} />
            <SortHead by="memo">{t('Memo')}</SortHead>
            <SortHead by="merchant">{t('Merchant')}</SortHead>
            <SortHead by="sku">{t('Item')}</SortHead>
            <SortHead by="value" first="desc" class="number">
              {t('Value')}
            </SortHead>
            <SortHead by="due">{t('Due back')}</SortHead>
            <td />
          </tr>
        </thead>
        <tbody>
          {memos.map((memo) => (
            <tr key={memo.line_item_uuid}>
              <SelectRow selection={props.selection} row={memo} name={memo.sku} />
              <td>
                <a href={`/operator/orders/${memo.order_uuid}`}>{memo.memo_id}</a>
                <div class="muted small">{memo.order_id}</div>
              </td>
              <td>
                <a href={`/operator/merchants/${memo.merchant_uuid}`}>{memo.merchant_legal_dba}</a>
              </td>
              <td>
                {memo.quantity > 1 && `${count(memo.quantity)} × `}
                <span class="mono">{memo.sku}</span>
              </td>
              <td class="number">{money(memo.value, 'USD')}</td>
              <td>
                <Due memo={memo} />
              </td>
              <td>
                {mayDo('orders:write') && (
                  <button
                    type="button"
                    class="button is-small"
                    onClick={() => props.onExtend(memo)}
                  >
                    {t('Extend')}
                    <span class="visually-hidden"> {memo.memo_id}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function Due({ memo: { due_date, days_left } }: { memo: OperatorMemo }) {
  if (due_date === null || days_left === null) return <>{t('No date agreed')}</>
  const isLate = days_left < 0
  const days = plural(Math.abs(days_left), 'day')
  return (
    <>
      <span class={isLate ? 'tag is-bad' : undefined}>{date(due_date)}</span>
      <div class="muted small">
        {isLate ? t('{days} late', { days }) : t('{days} left', { days })}
      </div>
    </>
  )
}
