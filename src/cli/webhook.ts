import { type Command, Option } from 'commander'
import { inTransaction } from '../database/transaction.ts'
import { EVENT_TYPES, type EventType } from '../events/events.ts'
import { listDeliveries, replayDelivery } from '../events/webhook-delivery-store.ts'
import { addEndpoint, getEndpoint, listEndpoints, removeEndpoint } from '../events/webhook-store.ts'
import { renderDelivery, renderEndpoint, renderWithSecret } from '../http/v3/webhooks.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'
import { readUuid } from './token.ts'

const MERCHANT = ['--merchant <uuid|email>', 'whose it is'] as const
const LISTED_MAX = 100

export function webhookCommand(): Command {
  return commandGroup('webhook', 'where merchants have their events sent', [
    listCommand(),
    addCommand(),
    removeCommand(),
    deliveriesCommand(),
    replayCommand(),
  ])
}

function listCommand(): Command {
  return command('list', 'list webhooks, oldest first', 'pavilion webhook list')
    .option(...MERCHANT)
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
            ['uuid', 'merchant_uuid', 'url', 'event_types', 'disabled'],
            'No webhook yet. Add one with: pavilion webhook add --help',
          ),
      ),
    )
}

interface AddOptions extends CommonOptions {
  merchant: string
  url: string
  event?: EventType[]
  description?: string
}

function addCommand(): Command {
  const example =
    'pavilion webhook add --merchant buyer@shop.example --url https://shop.example/hooks'
  const types = new Option('--event <type...>', 'only these types (default: all)')
  return command('add', 'register a webhook; its secret is shown this once', example)
    .requiredOption(...MERCHANT)
    .requiredOption('--url <address>', 'where to send')
    .addOption(types.choices(EVENT_TYPES))
    .option('--description <words>', 'what it is for')
    .action((options: AddOptions) =>
      onMarket(
        options,
        async ({ database: { db }, config }) => {
          const { uuid } = await getMerchant(db, options.merchant)
          const { url, description, event: event_types } = options
          const wish = { url, description, event_types }
          return renderWithSecret(
            await inTransaction(db, (tx) =>
              addEndpoint(tx, uuid, wish, config.webhookAllowedHosts),
            ),
          )
        },
        ({ uuid, secret }) => `${secret}\n\nKeep it: it is not shown again. Its uuid is ${uuid}.`,
      ),
    )
}

function removeCommand(): Command {
  return command('remove', 'remove a webhook with its log', 'pavilion webhook remove <uuid>')
    .argument('<uuid>', 'the webhook', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const endpoint = await getEndpoint(db, uuid)
          await removeEndpoint(db, uuid)
          return renderEndpoint(endpoint)
        },
        ({ url }) => `Removed ${uuid} (${url}).`,
      ),
    )
}

function deliveriesCommand(): Command {
  const example = 'pavilion webhook deliveries <uuid>'
  return command('deliveries', 'list what was sent, newest first', example)
    .argument('<uuid>', 'the webhook', readUuid)
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
            ['uuid', 'event_type', 'state', 'attempts', 'last', 'created_on', 'due_on'],
            'Nothing was sent yet.',
          ),
      ),
    )
}

function replayCommand(): Command {
  const example = 'pavilion webhook replay <uuid> <delivery uuid>'
  return command('replay', 'send a delivery again; a running server does it', example)
    .argument('<uuid>', 'the webhook', readUuid)
    .argument('<delivery>', 'the delivery, as the log shows it', readUuid)
    .action((uuid: string, delivery: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          await replayDelivery(db, uuid, delivery)
          return { uuid, delivery }
        },
        () => `${delivery} will be sent again.`,
      ),
    )
}
