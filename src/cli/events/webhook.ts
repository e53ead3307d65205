/** Webhooks send the events of a merchant to its own server. */
import { type Command, Option } from 'commander'
import { inTransaction } from '../../database/transaction.ts'
import { EVENT_TYPES, type EventType } from '../../events/events.ts'
import { listDeliveries, replayDelivery } from '../../events/webhook-delivery-store.ts'
import {
  addEndpoint,
  getEndpoint,
  listEndpoints,
  removeEndpoint,
} from '../../events/webhook-store.ts'
import {
  renderDelivery,
  renderEndpoint,
  renderWithSecret,
} from '../../http/shared/webhook-rendering.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { readLine, readLineUpTo, readUuid } from '../arguments.ts'
import {
  type CommonOptions,
  command,
  commandGroup,
  MERCHANT,
  type MerchantOptions,
  onMarket,
  onMerchant,
} from '../command.ts'
import { tableOf } from '../output/table.ts'

const EXAMPLE_UUID = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
const LISTED_MAX = 100
/** As over HTTP: `http/schemas/events/webhook.ts`. */
const URL_LENGTH_MAX = 2_000

export function webhookCommand(): Command {
  return commandGroup('webhook', 'Manage the webhooks of merchants', [
    listCommand(),
    addCommand(),
    removeCommand(),
    deliveriesCommand(),
    replayCommand(),
  ])
}

function listCommand(): Command {
  return command('list', 'List webhooks, oldest first', 'pavilion webhook list')
    .option('--merchant <uuid|email>', 'Only webhooks of this merchant')
    .action((options: CommonOptions & { merchant?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const endpoints = await listEndpoints(db, merchant?.uuid)
          return endpoints.map((endpoint) => ({
            merchant_uuid: endpoint.merchant_uuid,
            ...renderEndpoint(endpoint),
          }))
        },
        (webhooks) =>
          tableOf(
            webhooks,
            {
              uuid: 'UUID',
              merchant_uuid: 'Merchant',
              url: 'URL',
              event_types: 'Events',
              disabled: 'Disabled',
            },
            'No webhooks yet. Add one with "pavilion webhook add".',
          ),
      ),
    )
}

interface AddOptions extends MerchantOptions {
  url: string
  event?: EventType[]
  description?: string
}

function addCommand(): Command {
  const example =
    'pavilion webhook add --merchant buyer@shop.example --url https://shop.example/hooks'
  const types = new Option('--event <type...>', 'Event types to send (default: all)')
  return command('add', 'Add a webhook and print its secret, once', example)
    .requiredOption(...MERCHANT)
    .requiredOption('--url <address>', 'URL that receives the events', readLineUpTo(URL_LENGTH_MAX))
    .addOption(types.choices(EVENT_TYPES))
    .option('--description <text>', 'What the webhook is for', readLine)
    .action((options: AddOptions) =>
      onMerchant(
        options,
        async (db, { uuid }, { config, secrets, realm }) => {
          const { url, description, event: event_types } = options
          const webhook = { url, description, event_types }
          const hosts = realm === 'test' ? config.sandboxWebhookHosts : config.webhookAllowedHosts
          return renderWithSecret(
            await inTransaction(db, (tx) => addEndpoint(tx, secrets, uuid, webhook, hosts)),
          )
        },
        ({ uuid, secret }) =>
          `${secret}\n\nSave it; it is not shown again. The webhook is ${uuid}.`,
      ),
    )
}

function removeCommand(): Command {
  const example = `pavilion webhook remove ${EXAMPLE_UUID}`
  return command('remove', 'Remove a webhook and its log', example)
    .argument('<uuid>', 'UUID of the webhook', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const endpoint = await getEndpoint(db, uuid)
          await removeEndpoint(db, uuid)
          return renderEndpoint(endpoint)
        },
        ({ url }) => `Removed the webhook ${url} (${uuid}).`,
      ),
    )
}

function deliveriesCommand(): Command {
  const example = `pavilion webhook deliveries ${EXAMPLE_UUID}`
  return command('deliveries', 'List the deliveries of a webhook, newest first', example)
    .argument('<uuid>', 'UUID of the webhook', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          await getEndpoint(db, uuid)
          const page = { limit: LISTED_MAX, offset: 0 }
          return (await listDeliveries(db, uuid, page)).deliveries.map(renderDelivery)
        },
        (deliveries) =>
          tableOf(
            deliveries.map(({ attempts, ...delivery }) => {
              const last = attempts.at(-1)
              return { ...delivery, attempts: attempts.length, last: last?.status ?? last?.error }
            }),
            {
              uuid: 'UUID',
              event_type: 'Event',
              state: 'State',
              attempts: 'Attempts',
              last: 'Last response',
              created_on: 'Created',
              due_on: 'Next attempt',
            },
            'No deliveries yet.',
          ),
      ),
    )
}

function replayCommand(): Command {
  const example = `pavilion webhook replay ${EXAMPLE_UUID} 0198a6c3-11aa-7b02-8e55-9c0d1e2f3a4b`
  return command('replay', 'Send a delivery again; needs a running server', example)
    .argument('<uuid>', 'UUID of the webhook', readUuid)
    .argument(
      '<delivery>',
      'UUID of the delivery, as listed by "pavilion webhook deliveries"',
      readUuid,
    )
    .action((uuid: string, delivery: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const endpoint = await getEndpoint(db, uuid)
          await inTransaction(db, (tx) => replayDelivery(tx, endpoint, delivery))
          return { uuid, delivery }
        },
        () => `The delivery ${delivery} will be sent again.`,
      ),
    )
}
