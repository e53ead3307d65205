import { type Command, InvalidArgumentError } from 'commander'
import type { Merchant } from '../merchants/merchant.ts'
import {
  createMerchant,
  getMerchant,
  listMerchants,
  updateMerchant,
} from '../merchants/merchant-store.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

const LISTED_MAX = 10_000

interface CreateOptions extends CommonOptions {
  email: string
  legalDba: string
  country: string
  currency: string
  api: boolean
  test?: boolean
  firstName?: string
  lastName?: string
  phone?: string
}

export function merchantCommand(): Command {
  return commandGroup('merchant', 'create, list and switch merchants', [
    createCommand(),
    listCommand(),
    switchCommand('enable', 'let the merchant call the interface', true),
    switchCommand('disable', 'refuse the merchant’s calls from now on', false),
  ])
}

function createCommand(): Command {
  const example =
    'pavilion merchant create --email buyer@shop.example --legal-dba "Facet Street" --country US'
  return command('create', 'create a merchant', example)
    .requiredOption('--email <email>', 'names the merchant; unique', readEmail)
    .requiredOption('--legal-dba <name>', 'the name it trades under')
    .requiredOption('--country <code>', 'two letters; US has its own price list')
    .option('--currency <code>', 'what it sees prices in', 'USD')
    .option('--first-name <name>', 'first name of the contact')
    .option('--last-name <name>', 'last name of the contact')
    .option('--phone <number>', 'business phone')
    .option('--no-api', 'create it without access to the interface')
    .option('--test', 'mark its orders with the debug flag')
    .action((options: CreateOptions) =>
      onMarket(
        options,
        async ({ database }) =>
          summaryOf(
            await createMerchant(database.db, {
              email: options.email,
              legal_dba: options.legalDba,
              country_code: options.country,
              currency_code: options.currency.toUpperCase(),
              api_enabled: options.api,
              test: options.test ?? false,
              first_name: options.firstName ?? '',
              last_name: options.lastName ?? '',
              business_phone: options.phone ?? '',
            }),
          ),
        (merchant) =>
          `Created ${merchant.legal_dba} as ${merchant.uuid}. Next:\n` +
          `  pavilion token create --merchant ${merchant.email} --type api_key`,
      ),
    )
}

function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text
  throw new InvalidArgumentError('It takes an address such as buyer@shop.example.')
}

function listCommand(): Command {
  return command(
    'list',
    'list the merchants, oldest first',
    'pavilion merchant list --json',
  ).action((options: CommonOptions) =>
    onMarket(
      options,
      async ({ database }) => {
        const page = { limit: LISTED_MAX, offset: 0 }
        return (await listMerchants(database.db, page)).merchants.map(summaryOf)
      },
      (merchants) =>
        tableOf(
          merchants,
          ['uuid', 'legal_dba', 'email', 'country_code', 'currency_code', 'api_enabled', 'test'],
          'No merchant yet. Create one with: pavilion merchant create --help',
        ),
    ),
  )
}

function switchCommand(name: string, description: string, api_enabled: boolean): Command {
  return command(name, description, `pavilion merchant ${name} buyer@shop.example`)
    .argument('<uuid|email>', 'the merchant')
    .action((who: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database }) => {
          const { uuid } = await getMerchant(database.db, who)
          return summaryOf(await updateMerchant(database.db, uuid, { api_enabled }))
        },
        (merchant) => `${merchant.legal_dba}: API access is ${api_enabled ? 'on' : 'off'}.`,
      ),
    )
}

function summaryOf(merchant: Merchant) {
  const { uuid, email, legal_dba, country_code, currency_code, margin_mode } = merchant
  const { activated, api_enabled, test, created_on } = merchant
  return {
    uuid,
    email,
    legal_dba,
    country_code,
    currency_code,
    margin_mode,
    activated,
    api_enabled,
    test,
    created_on,
  }
}
