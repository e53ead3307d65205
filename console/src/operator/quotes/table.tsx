import type { OperatorQuote } from '../../api/operator/quotes.ts'
import { t } from '../../language/language.ts'
import { dateTime, money, percent } from '../../lib/format.ts'
import { expiryText, QuoteTag } from '../../orders/quotes/status.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SelectAll, type Selection, SelectRow } from '../../parts/table/selection.tsx'
import { SortHead } from '../../parts/table/sort.tsx'
import { askedTotal, listTotal } from './quote-sums.ts'

/** The names of merchants, as soon as they are read. */
export type Names = ReadonlyMap<string, string> | undefined

/** What quotes can be sorted by, in the names of the interface. Sums are compared in dollars. */
const HEADS = [
  ['created_on', t('Quote')],
  ['merchant_legal_dba', t('Merchant')],
  ['status', t('Status')],
  ['line_items', t('Items'), 'number'],
  ['market_total', t('List price'), 'number'],
  ['offer_total', t('Asked'), 'number'],
  ['total', t('Total'), 'number'],
  ['expires_on', t('Stands until')],
] as const
export const QUOTE_SORTS = HEADS.map(([by]) => by)

interface Shown {
  names: Names
  selection: Selection<OperatorQuote>
}

export function QuoteTable(props: Shown & { label: string; quotes: readonly OperatorQuote[] }) {
  const { label, quotes, ...shown } = props
  return (
    <ScrollArea label={label}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={shown.selection} rows={quotes} />
            {HEADS.map(([by, text, kind]) => (
              <SortHead key={by} by={by} {...(kind && { class: kind, first: 'desc' })}>
                {text}
              </SortHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {quotes.map((quote) => (
            <QuoteRow key={quote.uuid} quote={quote} {...shown} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function QuoteRow({ quote, names, selection }: Shown & { quote: OperatorQuote }) {
  const { uuid, merchant_uuid, currency_code, line_items } = quote
  const [listed, asked] = [listTotal(quote), askedTotal(quote)]
  const merchant = names?.get(merchant_uuid) ?? t('Merchant')
  return (
    <tr>
      <SelectRow
        selection={selection}
        row={quote}
        name={`${merchant}, ${dateTime(quote.created_on)}`}
      />
      <td>
        <a href={`/operator/quotes/${uuid}`}>{dateTime(quote.created_on)}</a>
        <div class="muted small mono">{line_items[0]?.sku}</div>
      </td>
      <td>
        <a href={`/operator/merchants/${merchant_uuid}`}>{merchant}</a>
      </td>
      <td>
        <QuoteTag status={quote.status} />
      </td>
      <td class="number">{line_items.length}</td>
      <td class="number">{money(listed, currency_code)}</td>
      <td class="number">
        {asked !== listed && (
          <>
            {money(asked, currency_code)}
            <div class="muted small">{percent((asked / listed - 1) * 100)}</div>
          </>
        )}
      </td>
      <td class="number">{money(quote.total, currency_code)}</td>
      <td title={dateTime(quote.expires_on)}>{expiryText(quote) || '–'}</td>
    </tr>
  )
}
