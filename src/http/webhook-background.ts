import type { Database } from '../database/open.ts'
import { startWebhookDelivery, type WebhookSettings } from '../events/deliver-webhooks.ts'
import { forgetOldDeliveries } from '../events/webhook-delivery-store.ts'
import type { App } from './route.ts'

const CLEANING_MS = 3_600_000

/** Sends webhooks beside the requests, while the app lives. */
export function registerWebhookDelivery(
  app: App,
  { database, webhooks }: { database: Database; webhooks?: WebhookSettings },
): void {
  const onError = (error: unknown) => app.log.debug({ err: error }, 'webhook delivery')
  const delivery = startWebhookDelivery(database, { allowedHosts: [], onError, ...webhooks })
  const cleaning = setInterval(
    () => void forgetOldDeliveries(database.db).catch(onError),
    CLEANING_MS,
  ).unref()
  app.addHook('onClose', async () => {
    clearInterval(cleaning)
    await delivery.stop()
  })
}
