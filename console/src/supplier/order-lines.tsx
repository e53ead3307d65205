import { mayDo } from '../api/session-store.ts'
import type { SupplierLine } from '../api/supplier.ts'
import { t } from '../language/language.ts'
import { count, dateTime, money } from '../lib/format.ts'
import { Goods } from '../orders/goods.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { waitsForAnswer } from './decline-dialog.tsx'

/** The supplier's lines of an order, and what was answered for each. */
export function OrderLines(props: {
  lines: SupplierLine[]
  busy: boolean
  onConfirm: (line: SupplierLine) => void
}) {
  const { lines, busy, onConfirm } = props
  // A single line is confirmed by the button above.
  const isByLine = mayDo('orders:write') && lines.filter(waitsForAnswer).length > 1
  return (
    <ScrollArea label={t('Lines')} isStacked>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Stock number')}</th>
            <th scope="col">{t('Item')}</th>
            {QUANTITIES.map(([name, label]) => (
              <th key={name} scope="col" class="number">
                {label}
              </th>
            ))}
            <th scope="col">{t('Your answer')}</th>
            <th scope="col" class="number">
              {t('Your price')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.uuid}>
              <td>
                {line.vendor_sku}
                <div class="muted small mono">{line.sku}</div>
              </td>
              <td>
                <Goods line={{ description: line.description }} />
              </td>
              {QUANTITIES.map(([name]) => (
                <td key={name} class="number">
                  {count(line[name])}
                </td>
              ))}
              <td>
                <span>{answerText(line)}</span>{' '}
                {isByLine && waitsForAnswer(line) && (
                  <button
                    type="button"
                    class="button is-small"
                    disabled={busy}
                    aria-label={t('Confirm {number}', { number: line.vendor_sku ?? line.sku })}
                    onClick={() => onConfirm(line)}
                  >
                    {t('Confirm')}
                  </button>
                )}
              </td>
              <td class="number">{line.price === null ? '' : money(line.price, 'USD')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

const QUANTITIES = [
  ['quantity', t('Ordered')],
  ['fulfilled_quantity', t('Shipped')],
  ['cancelled_quantity', t('Cancelled')],
  ['returned_quantity', t('Returned')],
] as const

function answerText({ confirmation, confirmed_on, declined_on, open_quantity }: SupplierLine) {
  if (confirmation === 'declined') return t('Declined {when}', { when: dateTime(declined_on) })
  if (confirmation === 'confirmed') return t('Confirmed {when}', { when: dateTime(confirmed_on) })
  return open_quantity > 0 ? t('Waits for your answer') : ''
}
