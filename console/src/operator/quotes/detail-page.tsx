import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { readMerchant } from '../../api/operator/merchants.ts'
import {
  acceptQuote,
  declineQuote,
  type OperatorQuote,
  readOperatorQuote,
} from '../../api/operator/quotes.ts'
import { mayDo } from '../../api/session-store.ts'
import { t, withElements } from '../../language/language.ts'
import { dateTime, decimal, fromNow, money, percent } from '../../lib/format.ts'
import { useQuoteEnd } from '../../orders/quotes/quote-end.ts'
import { isLive, QuoteTag } from '../../orders/quotes/status.tsx'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import { CounterDialog } from './counter-dialog.tsx'
import { QuoteLines } from './lines.tsx'
import { askedTotal, listTotal } from './quote-sums.ts'

/** One quote: what the merchant asks for, and the operator's answer. */
export function OperatorQuotePage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readOperatorQuote(uuid, signal))
  const [dialog, setDialog] = useState<'counter' | 'decline'>()
  const action = useAction()
  const quote = reading.value
  useQuoteEnd(quote, reading.reload)
  if (!quote) {
    if (!reading.problem) return <Loading rows={4} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  const done = (text: string) => {
    setDialog(undefined)
    showToast(text)
    reading.reload()
  }
  const accept = () =>
    action.run(async () => {
      if (!(await isAcceptMeant(quote))) return
      await acceptQuote(uuid)
      done(t('The price is accepted.'))
    })
  const close = () => setDialog(undefined)
  const canAnswer = quote.status === 'requested' && !reading.problem && mayDo('orders:write')
  return (
    <>
      <div class="page-head">
        <h1>{t('Quote of {date}', { date: dateTime(quote.created_on) })}</h1>
        <QuoteTag status={quote.status} />
        {canAnswer && (
          <Tools busy={action.busy} onAccept={() => void accept()} onDialog={setDialog} />
        )}
        <Lead quote={quote} />
      </div>
      <div class="stack">
        <ProblemNote problem={action.problem ?? reading.problem} />
        <Notes quote={quote} />
        <QuoteLines quote={quote} />
      </div>
      {dialog === 'counter' && (
        <CounterDialog
          quote={quote}
          onClose={close}
          onDone={() => done(t('Your price is offered.'))}
        />
      )}
      {dialog === 'decline' && (
        <ReasonDialog
          title={t('Decline the quote')}
          text={t('The stones are no longer held for the merchant. This cannot be taken back.')}
          action={t('Decline')}
          refuse={(reason) => declineQuote(uuid, reason)}
          onClose={close}
          onDone={() => done(t('The quote is declined.'))}
        />
      )}
    </>
  )
}

function isAcceptMeant(quote: OperatorQuote): Promise<boolean> {
  const { currency_code } = quote
  const [listed, asked] = [listTotal(quote), askedTotal(quote)]
  return confirmed({
    title: t('Sell for {price}?', { price: money(asked, currency_code) }),
    text: t('That is {percent} against {list}. The merchant can order at this price at once.', {
      percent: percent((asked / listed - 1) * 100),
      list: money(listed, currency_code),
    }),
    action: t('Accept'),
  })
}

function Tools(props: {
  busy: boolean
  onAccept: () => void
  onDialog: (dialog: 'counter' | 'decline') => void
}) {
  const button = (label: string, kind: string, onClick: () => void) => (
    <button type="button" class={`button ${kind}`} disabled={props.busy} onClick={onClick}>
      {label}
    </button>
  )
  return (
    <div class="page-tools">
      {button(t('Accept'), 'is-main', props.onAccept)}
      {button(t('Counter'), '', () => props.onDialog('counter'))}
      {button(t('Decline'), 'is-danger', () => props.onDialog('decline'))}
    </div>
  )
}

function Lead({ quote }: { quote: OperatorQuote }) {
  const { merchant_uuid } = quote
  const merchant = useRead(merchant_uuid, (signal) => readMerchant(merchant_uuid, signal)).value
  const name = (
    <a key="merchant" href={`/operator/merchants/${merchant_uuid}`}>
      {merchant?.legal_dba ?? t('Merchant')}
    </a>
  )
  return (
    <p class="page-lead">
      {isLive(quote)
        ? withElements('For {merchant}, stands until {date}', {
            merchant: name,
            date: `${dateTime(quote.expires_on)} (${fromNow(quote.expires_on)})`,
          })
        : withElements('For {merchant}', { merchant: name })}
      {quote.currency_code !== 'USD' &&
        ` · ${t('{rate} {currency} for 1 USD', {
          rate: decimal(quote.exchange_rate, 6),
          currency: quote.currency_code,
        })}`}
    </p>
  )
}

function Notes({ quote }: { quote: OperatorQuote }) {
  const { held_until, order_uuid, reason, status } = quote
  return (
    <>
      {held_until && status !== 'ordered' && (
        <p class="note">{t('Its stones are held until {date}.', { date: dateTime(held_until) })}</p>
      )}
      {reason && (
        <p class="note is-bad">
          {withElements('Declined: {reason}', {
            reason: (
              <span key="reason" lang="">
                {reason}
              </span>
            ),
          })}
        </p>
      )}
      {order_uuid && (
        <p class="note">
          <a href={`/operator/orders/${order_uuid}`}>{t('Open the order')}</a>
        </p>
      )}
    </>
  )
}
