import type { Quote, QuoteLine } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { count, money } from '../../lib/format.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { Goods } from '../goods.tsx'

type Quantities = Record<string, number>

interface QuoteLinesProps {
  quote: Quote
  /** How much of each line is to be ordered, where that can be chosen. */
  quantities?: Quantities
  onChange?: (quantities: Quantities) => void
}

/** The lines of a quote: what the market asked, what was offered, and what counts. */
export function QuoteLines({ quote, quantities, onChange }: QuoteLinesProps) {
  const hasOffers = quote.line_items.some(({ offer_price }) => offer_price !== null)
  const columns = hasOffers ? 6 : 4
  return (
    <ScrollArea label={t('Items of the quote')} isStacked>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Item')}</th>
            <th scope="col">{quantities ? t('To order') : t('Quantity')}</th>
            {hasOffers && (
              <>
                <th scope="col" class="number">
                  {t('Market price')}
                </th>
                <th scope="col" class="number">
                  {t('Your offer')}
                </th>
              </>
            )}
            <th scope="col" class="number">
              {t('Quoted price')}
            </th>
            <th scope="col" class="number">
              {t('Your retail price')}
            </th>
          </tr>
        </thead>
        <tbody>
          {quote.line_items.map((line) => (
            <tr key={line.sku}>
              <td>
                <ItemLink line={line} />
                <div class="muted small mono">{line.sku}</div>
              </td>
              <td>
                {quantities && onChange ? (
                  <QuantityField line={line} quantities={quantities} onChange={onChange} />
                ) : (
                  count(line.quantity)
                )}
              </td>
              <Prices line={line} quote={quote} hasOffers={hasOffers} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={columns - 2}>
              {t('Total of the quote')}
            </th>
            <td class="number">
              <strong>{money(quote.total, quote.currency_code)}</strong>
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </ScrollArea>
  )
}

function ItemLink({ line }: { line: QuoteLine }) {
  if (line.product_type !== 'gem') return <Goods line={line} />
  return (
    <a href={`/stones/${encodeURIComponent(line.sku)}`}>
      <Goods line={line} />
    </a>
  )
}

function Prices(props: { line: QuoteLine; quote: Quote; hasOffers: boolean }) {
  const { line, quote, hasOffers } = props
  const price = (amount: number | null) => money(amount, quote.currency_code, 4)
  return (
    <>
      {hasOffers && (
        <>
          <td class="number">{price(line.market_price)}</td>
          <td class="number">{price(line.offer_price)}</td>
        </>
      )}
      <td class="number">
        {quote.status === 'requested' && line.offer_price !== null ? (
          <span class="muted">{t('not answered yet')}</span>
        ) : (
          <strong>{price(line.wholesale_price)}</strong>
        )}
        <Answer line={line} quote={quote} />
      </td>
      <td class="number">{price(line.retail_price)}</td>
    </>
  )
}

/** Whether the price is what was offered. */
function Answer({ line, quote }: { line: QuoteLine; quote: Quote }) {
  const { offer_price: offered, wholesale_price: answered, market_price: market } = line
  const isAnswered = quote.status === 'open' || quote.status === 'ordered'
  if (offered === null || !isAnswered) return null
  const text = answerText(offered, answered, market)
  return <div class={answered === offered ? 'small is-agreed' : 'small muted'}>{text}</div>
}

function answerText(offered: number, answered: number, market: number): string {
  if (answered === offered) return t('your offer was accepted')
  if (answered === market) return t('the market price stays')
  return t('counter-offer')
}

function QuantityField(props: {
  line: QuoteLine
  quantities: Quantities
  onChange: (quantities: Quantities) => void
}) {
  const { line, quantities, onChange } = props
  const { sku, quantity: most } = line
  const chosen = quantities[sku] ?? 0
  const label = t('Quantity of {sku}', { sku })
  const set = (quantity: number) => onChange({ ...quantities, [sku]: quantity })
  if (most === 1) {
    return (
      <input
        type="checkbox"
        aria-label={t('Order {sku}', { sku })}
        checked={chosen > 0}
        onChange={(event) => set(event.currentTarget.checked ? 1 : 0)}
      />
    )
  }
  return (
    <label class="row">
      <input
        class="input quantity"
        inputMode="numeric"
        aria-label={label}
        value={numberText(chosen)}
        onChange={(event) => {
          const typed = Math.floor(numberIn(event.currentTarget.value))
          const next = typed >= 0 ? Math.min(most, typed) : chosen
          event.currentTarget.value = numberText(next)
          set(next)
        }}
      />
      <span class="muted small">{t('of {count}', { count: count(most) })}</span>
    </label>
  )
}
