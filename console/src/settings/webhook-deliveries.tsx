import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { type Delivery, listDeliveries, replayDelivery } from '../api/webhooks.ts'
import { t, withElements } from '../language/language.ts'
import { count, dateTime, fromNow, plural } from '../lib/format.ts'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { EVENT_TEXTS } from './event-texts.ts'

type Attempt = Delivery['attempts'][number]

const STATES: Record<Delivery['state'], { text: string; tag: string }> = {
  delivered: { text: t('Delivered'), tag: 'is-good' },
  failed: { text: t('Not delivered'), tag: 'is-bad' },
  pending: { text: t('Being delivered'), tag: 'is-warn' },
}

/** An event in words; its type where there are none. */
export function eventText(type: string): string {
  return EVENT_TEXTS.get(type) ?? type
}

/** What was sent to a webhook, newest first, and what became of it. */
export function WebhookDeliveries({ uuid, url }: { uuid: string; url: string }) {
  const reading = useRead(uuid, (signal) => listDeliveries(uuid, signal))
  const action = useAction()
  const replay = (delivery: Delivery) =>
    action.run(async () => {
      await replayDelivery(uuid, delivery.uuid)
      showToast(t('The event will be sent again.'))
      reading.reload()
    })
  const { deliveries, total = 0 } = reading.value ?? {}
  if (!deliveries && !reading.problem) return <Loading rows={2} />
  if (deliveries?.length === 0) return <p class="muted small">{t('Nothing has been sent yet.')}</p>
  return (
    <>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      <ol class="log" aria-label={t('Deliveries to {url}', { url })}>
        {deliveries?.map((delivery) => (
          <DeliveryEntry
            key={delivery.uuid}
            delivery={delivery}
            onReplay={() => void replay(delivery)}
          />
        ))}
      </ol>
      {deliveries && total > deliveries.length && (
        <p class="muted small">
          {t('The last {shown} of {total} are shown.', {
            shown: count(deliveries.length),
            total: count(total),
          })}
        </p>
      )}
    </>
  )
}

function DeliveryEntry({ delivery, onReplay }: { delivery: Delivery; onReplay: () => void }) {
  const { state, event_type, created_on, attempts } = delivery
  return (
    <li>
      <div class="log-head">
        <b>{eventText(event_type)}</b>
        <span class={`tag ${STATES[state].tag}`}>{STATES[state].text}</span>
        <time class="muted small" dateTime={created_on}>
          {dateTime(created_on)}
        </time>
        {mayDo('settings:write') && (
          <button
            type="button"
            class="button is-small"
            aria-label={t('Send again: {event}', { event: eventText(event_type) })}
            onClick={onReplay}
          >
            {t('Send again')}
          </button>
        )}
      </div>
      <p class="small">
        <Outcome delivery={delivery} />
      </p>
      {attempts.length > 1 && (
        <details class="small">
          <summary>{t('All attempts')}</summary>
          <ol>
            {attempts.map((attempt) => (
              <li key={attempt.number}>
                {dateTime(attempt.attempted_on)}: <Answer attempt={attempt} />
              </li>
            ))}
          </ol>
        </details>
      )}
      <p class="muted small mono">{event_type}</p>
    </li>
  )
}

/** What happened, in a sentence. */
function Outcome({ delivery: { state, attempts, due_on } }: { delivery: Delivery }) {
  const last = attempts.at(-1)
  if (!last) return <>{t('It is about to be sent.')}</>
  const answer = <Answer attempt={last} />
  if (state === 'delivered') {
    return attempts.length === 1
      ? answer
      : withElements('After {attempts}: {answer}', {
          attempts: plural(attempts.length, 'attempt'),
          answer,
        })
  }
  if (state === 'pending' && due_on) {
    return withElements('{answer} The next attempt is due {when}.', {
      answer,
      when: fromNow(due_on),
    })
  }
  return withElements('{answer} After {attempts} no more are made.', {
    answer,
    attempts: plural(attempts.length, 'attempt'),
  })
}

/** What the receiver said to one attempt. What a computer says about a connection is English. */
function Answer({ attempt: { status, error, duration_ms } }: { attempt: Attempt }) {
  const ms = count(duration_ms)
  if (status === null) {
    return (
      <>
        {withElements('The receiver did not answer: {error}.', {
          error: <span lang="en">{error ?? '–'}</span>,
        })}
      </>
    )
  }
  if (status >= 200 && status < 300)
    return <>{t('The receiver accepted it with status {status} in {ms} ms.', { status, ms })}</>
  if (status === 410)
    return <>{t('The receiver wants no more events (status 410), so the webhook is off.')}</>
  return <>{t('The receiver refused it with status {status} in {ms} ms.', { status, ms })}</>
}
