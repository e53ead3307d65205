import { useAction, useRead } from '../api/hooks.ts'
import { type Delivery, listDeliveries, replayDelivery } from '../api/webhooks.ts'
import { dateTime, fromNow } from '../lib/format.ts'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { showToast } from '../parts/toast.tsx'

const STATES = { delivered: 'is-good', failed: 'is-bad', pending: 'is-warn' } as const

/** The deliveries of a webhook, newest first. */
export function WebhookDeliveries({ uuid, url }: { uuid: string; url: string }) {
  const reading = useRead(uuid, (signal) => listDeliveries(uuid, signal))
  const action = useAction()
  const replay = (delivery: Delivery) =>
    action.run(async () => {
      await replayDelivery(uuid, delivery.uuid)
      showToast('The event will be sent again.')
      reading.reload()
    })
  const deliveries = reading.value?.deliveries
  if (!deliveries && !reading.problem) return <Loading rows={2} />
  if (deliveries?.length === 0) return <p class="muted small">Nothing has been sent yet.</p>
  return (
    <>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      <ScrollArea class="wide-scroll" label={`Deliveries to ${url}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Created</th>
              <th scope="col">Status</th>
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
      </ScrollArea>
    </>
  )
}

function attemptText({ attempts, due_on }: Delivery): string {
  const last = attempts.at(-1)
  const result = last ? `${last.number}: ${last.status ?? last.error ?? '–'}` : 'None yet'
  return due_on ? `${result}, next ${fromNow(due_on)}` : result
}
