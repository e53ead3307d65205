import { useEffect, useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { type Quote, readQuote, withdrawQuote } from '../../api/orders.ts'
import { mayDo } from '../../api/session-store.ts'
import { t, withElements } from '../../language/language.ts'
import { date, dateTime, decimal, fromNow } from '../../lib/format.ts'
import { go } from '../../lib/router.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { refreshOwnHolds } from '../../stones/own-holds.ts'
import { OrderPanel, useOrderForm } from '../basket/order-form.tsx'
import { goodsName } from '../goods.tsx'
import { Typed } from '../typed.tsx'
import { AskQuoteButton } from './ask-button.tsx'
import { QuoteProblem } from './ask-dialog.tsx'
import { QuoteLines } from './lines.tsx'
import { useQuoteEnd } from './quote-end.ts'
import { isCountered, isLive, QuoteTag } from './status.tsx'
import { QuoteTimeline } from './timeline.tsx'

/** One quote, and what can be done with it. */
export function QuotePage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readQuote(uuid, signal))
  const quote = reading.value
  useQuoteEnd(quote, reading.reload)
  if (!quote) {
    if (!reading.problem) return <Loading rows={4} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  return (
    <>
      <div class="page-head">
        <h1>{t('Quote of {date}', { date: date(quote.created_on) })}</h1>
        <QuoteTag status={quote.status} />
        <QuoteTools quote={quote} />
        <p class="page-lead">{heldText(quote)}</p>
      </div>
      <QuoteState quote={quote} />
      {quote.status === 'open' && mayDo('orders:write') ? (
        <OpenQuote quote={quote} onEnded={reading.reload} />
      ) : (
        <ClosedQuote quote={quote} />
      )}
    </>
  )
}

function heldText({ status, held_until, currency_code, exchange_rate }: Quote): string {
  const rate =
    currency_code === 'USD'
      ? t('Prices are in US dollars.')
      : t('1 USD = {rate} {currency}, as long as the quote stands.', {
          rate: decimal(exchange_rate, 4),
          currency: currency_code,
        })
  const isHeld = held_until !== null && (status === 'open' || status === 'requested')
  return isHeld ? `${rate} ${t('Held until {date}.', { date: dateTime(held_until) })}` : rate
}

/** What the state of the quote means for the merchant, in a sentence. */
function QuoteState({ quote }: { quote: Quote }) {
  const { status, expires_on, reason, order_uuid } = quote
  const values = { when: fromNow(expires_on), date: dateTime(expires_on) }
  switch (status) {
    case 'open':
      return (
        <p class="note is-good">
          {isCountered(quote)
            ? t('Your offer was answered with other prices. They end {when} ({date}).', values)
            : t('You can order at these prices. They end {when} ({date}).', values)}
        </p>
      )
    case 'requested':
      return (
        <p class="note is-warn">
          {t('Your offer waits for an answer. It ends {when} ({date}).', values)}
        </p>
      )
    case 'declined':
      return (
        <p class="note is-bad">
          {reason
            ? withElements('Your offer was declined: {reason}', { reason: <Typed text={reason} /> })
            : t('Your offer was declined.')}
        </p>
      )
    case 'ordered':
      return (
        <p class="note is-good">
          {t('It was ordered.')}{' '}
          {order_uuid && <a href={`/orders/${order_uuid}`}>{t('To the order')}</a>}
        </p>
      )
    case 'expired':
      return <p class="note">{t('The quote ended {when} ({date}).', values)}</p>
  }
}

function QuoteTools({ quote }: { quote: Quote }) {
  const action = useAction()
  if (quote.status === 'ordered' || !mayDo('orders:write')) return null
  const withdraw = async () => {
    const yes = await confirmed({
      title: isLive(quote) ? t('Withdraw this quote?') : t('Remove this quote?'),
      text: isLive(quote)
        ? t('Its prices are no longer kept for you, and its holds end. This cannot be taken back.')
        : t('It is no longer in the list. This cannot be taken back.'),
      action: isLive(quote) ? t('Withdraw') : t('Remove'),
      isDanger: true,
    })
    if (!yes) return
    await action.run(async () => {
      await withdrawQuote(quote.uuid)
      if (quote.hold) void refreshOwnHolds()
      showToast(isLive(quote) ? t('The quote is withdrawn.') : t('The quote is removed.'))
      go('/quotes')
    })
  }
  return (
    <div class="page-tools">
      {!isLive(quote) && (
        <AskQuoteButton lines={askedOf(quote)} class="button" label={t('Ask again')} />
      )}
      <button
        type="button"
        class="button is-danger"
        disabled={action.busy}
        onClick={() => void withdraw()}
      >
        {isLive(quote) ? t('Withdraw') : t('Remove')}
      </button>
      <ProblemNote problem={action.problem} />
    </div>
  )
}

function askedOf({ line_items }: Quote) {
  return line_items.map((line) => {
    const { sku, quantity, offer_price } = line
    const { text: name, lang } = goodsName(line)
    return { sku, quantity, name, ...(lang && { lang }), offer_price }
  })
}

/** An open quote is ordered as a whole, or some of its lines. */
function OpenQuote({ quote, onEnded }: { quote: Quote; onEnded: () => void }) {
  const [quantities, setQuantities] = useState<Record<string, number>>(() =>
    Object.fromEntries(quote.line_items.map(({ sku, quantity }) => [sku, quantity])),
  )
  const lines = quote.line_items.flatMap(({ sku }) => {
    const quantity = quantities[sku] ?? 0
    return quantity > 0 ? [{ sku, quantity }] : []
  })
  const order = useOrderForm(lines, quote.uuid)
  // It has ended, or was ordered in another window, since the page was opened.
  const hasEnded = order.check.problem?.code.startsWith('quote_') ?? false
  useEffect(() => {
    if (hasEnded) onEnded()
  }, [hasEnded])
  return (
    <>
      <QuoteLines quote={quote} quantities={quantities} onChange={setQuantities} />
      <div class="columns" style={{ marginTop: '16px' }}>
        <section class="panel stack">
          <h2>{t('Order at these prices')}</h2>
          <p class="muted">
            {lines.length < quote.line_items.length
              ? t('A quote is ordered once: what you leave out now needs a new quote.')
              : t('Leave out lines, or lower their quantities, to order a part.')}
          </p>
          <QuoteProblem problem={order.check.problem} lines={lines} />
          <QuoteTimeline quote={quote} />
        </section>
        <OrderPanel order={order} />
      </div>
    </>
  )
}

function ClosedQuote({ quote }: { quote: Quote }) {
  return (
    <>
      <QuoteLines quote={quote} />
      <section class="panel" style={{ marginTop: '16px' }}>
        <QuoteTimeline quote={quote} />
      </section>
    </>
  )
}
