import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { counterQuote, type OperatorQuote } from '../../api/operator/quotes.ts'
import { t } from '../../language/language.ts'
import { money, percent } from '../../lib/format.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { Goods } from '../../orders/goods.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { listTotal, type QuoteLine, sumOf } from './quote-sums.ts'

/** Names another price for each line, beside the list price and the one that was asked. */
export function CounterDialog(props: {
  quote: OperatorQuote
  onClose: () => void
  onDone: () => void
}) {
  const { quote } = props
  const { currency_code: currency, line_items } = quote
  const [prices, setPrices] = useState<Record<string, string>>(() =>
    Object.fromEntries(line_items.map((line) => [line.sku, numberText(line.market_price)])),
  )
  const action = useAction()
  const priceOf = ({ sku }: QuoteLine) => numberIn(prices[sku])
  const total = sumOf(line_items, priceOf)
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const lines = line_items.map((line) => ({ sku: line.sku, price: priceOf(line) }))
      await counterQuote(quote.uuid, { line_items: lines })
      props.onDone()
    })
  }
  return (
    <Dialog title={t('Name another price')} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">{t('The merchant can order at these prices at once.')}</p>
        {line_items.map((line, at) => (
          <div key={line.sku} class="stack">
            <div>
              <span class="mono">{line.sku}</span> <Goods line={line} />
              <div class="muted small">{priceFacts(line, currency)}</div>
            </div>
            <TextField
              label={t('Price of {sku} in {currency}', { sku: line.sku, currency })}
              required
              inputMode="decimal"
              name={`line_items[${at}].price`}
              problem={action.problem}
              value={prices[line.sku]}
              onInput={(price) => setPrices({ ...prices, [line.sku]: price })}
            />
          </div>
        ))}
        {total > 0 && (
          <p aria-live="polite">
            {t('Together {total}, {percent} against the list.', {
              total: money(total, currency),
              percent: percent((total / listTotal(quote) - 1) * 100),
            })}
          </p>
        )}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Close')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy || !(total > 0)}>
            {t('Offer these prices')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function priceFacts({ market_price, offer_price }: QuoteLine, currency: string): string {
  const list = money(market_price, currency, 4)
  if (offer_price === null) return t('List price {list}', { list })
  return t('List price {list}, asked {asked}', { list, asked: money(offer_price, currency, 4) })
}
