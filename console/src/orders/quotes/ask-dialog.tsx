import { useState } from 'preact/hooks'
import type { ApiProblem } from '../../api/client.ts'
import { useAction } from '../../api/hooks.ts'
import { type QuoteRequest, requestQuote } from '../../api/orders.ts'
import { sessionCurrency } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { count, money, plural } from '../../lib/format.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { go } from '../../lib/router.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { errorAt } from '../../parts/field-errors.ts'
import { Checkbox, SelectField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'
import { refreshOwnHolds } from '../../stones/own-holds.ts'
import { lineProblem } from '../basket/line-problems.ts'
import { isAboutItems } from '../basket/order-form.tsx'

/** An item to ask for: its name, and its price now where that is known. */
export interface AskedLine {
  sku: string
  quantity: number
  name?: string
  /** The language of the name, where it is not the reader's. */
  lang?: string
  offer_price?: number | null
  /** What one costs now, and in which currency. */
  price?: number
  price_currency?: string
}

const HOUR = 60
const DAY = 24 * HOUR
const HOLD_HOURS_MAX = 48

const VALIDITIES: readonly (readonly [string, string])[] = [
  [String(HOUR), plural(1, 'hour')],
  [String(4 * HOUR), plural(4, 'hour')],
  [String(DAY), plural(1, 'day')],
  [String(3 * DAY), plural(3, 'day')],
  [String(7 * DAY), plural(7, 'day')],
]

/** Freezes the prices of this moment, or offers others to the operator. */
export function AskQuoteDialog(props: { lines: readonly AskedLine[]; onClose: () => void }) {
  const { lines, onClose } = props
  const [minutes, setMinutes] = useState(String(DAY))
  const [hold, setHold] = useState(false)
  const [currency, setCurrency] = useState(sessionCurrency())
  const [offers, setOffers] = useState<Record<string, string>>(() => offersOf(lines))
  const action = useAction()
  const isOffer = Object.values(offers).some((offer) => offer.trim() !== '')
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async (keyFor) => {
      const asked = {
        line_items: lines.map(({ sku, quantity }) => lineWith(sku, quantity, offers[sku])),
        minutes: Number(minutes),
        hold,
        currency_code: currency,
      }
      const quote = await requestQuote(asked, keyFor)
      if (hold) void refreshOwnHolds()
      showToast(
        quote.status === 'requested'
          ? t('Your offer has been sent.')
          : t('The prices are frozen for you.'),
      )
      go(`/quotes/${quote.uuid}`)
      onClose()
    })
  }
  return (
    <Dialog title={t('Ask for a quote')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('Prices and the exchange rate stay as they are now, until the quote ends.')}
        </p>
        <SelectField
          label={t('Valid for')}
          value={minutes}
          options={VALIDITIES}
          onChange={setMinutes}
        />
        <CurrencyField value={currency} onChange={setCurrency} />
        <Checkbox checked={hold} onChange={setHold}>
          {t('Hold the stones as well, for at most {count} hours', {
            count: count(HOLD_HOURS_MAX),
          })}
        </Checkbox>
        <OfferFields
          problem={action.problem}
          {...{ lines, currency, offers }}
          onChange={setOffers}
        />
        <QuoteProblem problem={action.problem} lines={lines} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {isOffer ? t('Send the offer') : t('Get the quote')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function offersOf(lines: readonly AskedLine[]): Record<string, string> {
  return Object.fromEntries(lines.map(({ sku, offer_price }) => [sku, numberText(offer_price)]))
}

function lineWith(
  sku: string,
  quantity: number,
  offer: string,
): QuoteRequest['line_items'][number] {
  if (offer.trim() === '') return { sku, quantity }
  return { sku, quantity, offer_price: numberIn(offer) }
}

/** Prices in the merchant's own currency, or in dollars. */
function CurrencyField(props: { value: string; onChange: (currency: string) => void }) {
  const own = sessionCurrency()
  if (own === 'USD') return null
  return (
    <SelectField
      label={t('Currency')}
      value={props.value}
      options={[own, 'USD'].map((code) => [code, code] as const)}
      onChange={props.onChange}
    />
  )
}

function OfferFields(props: {
  lines: readonly AskedLine[]
  currency: string
  offers: Record<string, string>
  problem: ApiProblem | undefined
  onChange: (offers: Record<string, string>) => void
}) {
  const { lines, currency, offers, problem, onChange } = props
  return (
    <fieldset class="stack">
      <legend class="field-label">
        {t('Your price for one, in {currency}; leave it empty to take the price', { currency })}
      </legend>
      <ul class="stack offer-list">
        {lines.map((line, at) => (
          <OfferField
            key={line.sku}
            line={line}
            currency={currency}
            offer={offers[line.sku]}
            error={errorAt(problem, `line_items[${at}].offer_price`, line.sku)}
            onChange={(offer) => onChange({ ...offers, [line.sku]: offer })}
          />
        ))}
      </ul>
    </fieldset>
  )
}

function OfferField(props: {
  line: AskedLine
  currency: string
  offer: string
  error: string | undefined
  onChange: (offer: string) => void
}) {
  const { line, offer, error } = props
  const { sku, quantity, name, lang, price, price_currency = '' } = line
  return (
    <li>
      <label class="row">
        <input
          class="input offer-price"
          inputMode="decimal"
          value={offer}
          aria-invalid={error ? 'true' : undefined}
          onInput={(event) => props.onChange(event.currentTarget.value)}
        />
        <span>
          {quantity > 1 && `${count(quantity)} × `}
          <span lang={lang}>{name}</span> <span class="muted small mono">{sku}</span>
          {price !== undefined && (
            <span class="muted small"> {money(price, price_currency, 4)}</span>
          )}
        </span>
      </label>
      {error && <span class="field-error">{error}</span>}
      {isAbovePrice(line, props.currency, offer) && (
        <p class="small note is-warn" role="status">
          {t('This is more than the price.')}
        </p>
      )}
    </li>
  )
}

/** Whether somebody offers more than is asked; amounts of two currencies are not compared. */
function isAbovePrice(
  { price, price_currency }: Pick<AskedLine, 'price' | 'price_currency'>,
  currency: string,
  offer: string,
): boolean {
  return price !== undefined && price_currency === currency && numberIn(offer) > price
}

/** What is wrong with which item, or with the whole. */
export function QuoteProblem(props: {
  problem: ApiProblem | undefined
  lines: readonly { sku: string }[]
}) {
  const { problem, lines } = props
  if (!problem) return null
  const refused = problem.errors.flatMap(({ field, message }) => {
    const position = /^line_items\[(\d+)\]\.sku/.exec(field)?.[1]
    const sku = position === undefined ? undefined : lines[Number(position)]?.sku
    return sku ? [{ sku, text: lineProblem(problem, message, sku) }] : []
  })
  if (refused.length === 0 || !(isAboutItems(problem) || problem.code === 'not_holdable')) {
    return <ProblemNote problem={problem} />
  }
  return (
    <ul class="note is-bad" role="alert">
      {refused.map(({ sku, text }) => (
        <li key={sku}>
          <strong class="mono">{sku}</strong> {text}
        </li>
      ))}
    </ul>
  )
}
