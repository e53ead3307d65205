import { useAction, useRead } from '../api/hooks.ts'
import { type Delivery, listDeliveries, replayDelivery } from '../api/webhooks.ts'
import { dateTime, fromNow } from '../lib/format.ts'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'

const STATES = { delivered: 'is-good', failed: 'is-bad', pending: 'is-warn' } as const

/** What was sent to one webhook, newest first. */
export function WebhookDeliveries({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => listDeliveries(uuid, signal))
  const action = useAction()
  const replay = (delivery: Delivery) =>
    action.run(async () => {
      await replayDelivery(uuid, delivery.uuid)
      showToast('It is sent again.')
      reading.reload()
    })
  const deliveries = reading.value?.deliveries
  if (!deliveries && !reading.problem) return <Loading rows={2} />
  if (deliveries?.length === 0) return <p class="muted small">Nothing was sent yet.</p>
  return (
    <>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key */}
      <section class="wide-scroll" tabIndex={0} aria-label="Deliveries">
        <table>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">When</th>
              <th scope="col">State</th>
              <th scope="col">Attempts</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {deliveries?.map((delivery) => (
              <tr key={delivery.uuid}>
                <td class="mono">{delivery.event_type}</td>
                <td>{dateTime(delivery.created_on)}</td>
                <td>
                  <span class={`tag ${STATES[delivery.state]}`}>{delivery.state}</span>
                </td>
                <td class="small">{attemptText(delivery)}</td>
                <td>
                  <button
                    type="button"
                    class="button is-small"
                    onClick={() => void replay(delivery)}
                  >
                    Send again
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function attemptText({ attempts, due_on }: Delivery): string {
  const last = attempts.at(-1)
  const result = last ? `${last.number}: ${last.status ?? last.error ?? '–'}` : 'none yet'
  return due_on ? `${result}, next ${fromNow(due_on)}` : result
}
