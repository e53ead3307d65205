import type { OperatorQuote } from '../../api/operator/quotes.ts'
import { t } from '../../language/language.ts'
import { count, money, percent } from '../../lib/format.ts'
import { Goods } from '../../orders/goods.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { StockLink } from '../orders/stock-link.tsx'
import { askedTotal, listTotal, type QuoteLine } from './quote-sums.ts'

/** The lines of a quote: the price of the market, what was asked, and what holds. */
export function QuoteLines({ quote }: { quote: OperatorQuote }) {
  const { currency_code: currency } = quote
  const isRequested = quote.status === 'requested'
  return (
    <ScrollArea label={t('Lines')} isStacked>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Item')}</th>
            <th scope="col" class="number">
              {t('Quantity')}
            </th>
            <th scope="col" class="number">
              {t('List price')}
            </th>
            <th scope="col" class="number">
              {t('Asked')}
            </th>
            {!isRequested && (
              <th scope="col" class="number">
                {t('Quoted')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {quote.line_items.map((line) => (
            <LineRow key={line.sku} line={line} currency={currency} isRequested={isRequested} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {t('Total')}
            </th>
            <td class="number">{money(listTotal(quote), currency)}</td>
            <td class="number">{money(askedTotal(quote), currency)}</td>
            {!isRequested && (
              <td class="number">
                <strong>{money(quote.total, currency)}</strong>
              </td>
            )}
          </tr>
        </tfoot>
      </table>
    </ScrollArea>
  )
}

function LineRow(props: { line: QuoteLine; currency: string; isRequested: boolean }) {
  const { line, currency } = props
  return (
    <tr>
      <td>
        <Goods line={line} />
        <div class="small mono">
          <StockLink line={line} />
        </div>
      </td>
      <td class="number">{count(line.quantity)}</td>
      <td class="number">{money(line.market_price, currency, 4)}</td>
      <td class="number">
        {line.offer_price === null ? (
          <span class="muted">{t('as listed')}</span>
        ) : (
          <>
            {money(line.offer_price, currency, 4)}
            <div class="muted small">
              {percent((line.offer_price / line.market_price - 1) * 100)}
            </div>
          </>
        )}
      </td>
      {!props.isRequested && <td class="number">{money(line.wholesale_price, currency, 4)}</td>}
    </tr>
  )
}
