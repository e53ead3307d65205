/** Merchants. Turning API access off refuses all requests of a merchant and deletes nothing. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { getMerchant, listMerchants, updateMerchant } from '../../merchants/merchant-store.ts'
import { addMerchant } from '../../pricing/merchant-currency.ts'
import { readLine, readName } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'
import { accountCommand, ledgerCommand } from './account.ts'
import { setCommand, showCommand } from './settings.ts'

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
  return commandGroup(
    'merchant',
    'Create, show and list merchants; set their terms, limits and prices; see what they owe',
    [
      createCommand(),
      listCommand(),
      showCommand(),
      setCommand(),
      accountCommand(),
      ledgerCommand(),
      accessCommand('enable', 'Turn API access on for a merchant', true),
      accessCommand('disable', 'Turn API access off for a merchant, effective at once', false),
    ],
  )
}

function createCommand(): Command {
  const example =
    'pavilion merchant create --email buyer@shop.example --legal-dba "Facet Street" --country US'
  return command('create', 'Create a merchant', example)
    .requiredOption('--email <address>', 'E-mail address; identifies the merchant', readEmail)
    .requiredOption('--legal-dba <name>', 'Trading name', readName)
    .requiredOption('--country <code>', 'Country code of two letters; US has its own price list')
    .option(
      '--currency <code>',
      'Currency of the prices that the merchant sees; needs an exchange rate',
      'USD',
    )
    .option('--first-name <name>', 'First name of the contact', readLine)
    .option('--last-name <name>', 'Last name of the contact', readLine)
    .option('--phone <number>', 'Business phone number', readLine)
    .option('--no-api', 'Create the merchant without API access')
    .option('--test', 'Test merchant: its orders carry the debug flag')
    .action((options: CreateOptions) =>
      onMarket(
        options,
        ({ database }) => inTransaction(database.db, (tx) => createFrom(tx, options)),
        (merchant) =>
          `Created the merchant ${merchant.legal_dba} (${merchant.uuid}).\n` +
          'Create a key for it with:\n' +
          `  pavilion token create --merchant ${merchant.email} --type api_key`,
      ),
    )
}

async function createFrom(tx: Tx, options: CreateOptions) {
  const merchant = await addMerchant(tx, {
    email: options.email,
    legal_dba: options.legalDba,
    country_code: options.country,
    currency_code: options.currency.toUpperCase(),
    api_enabled: options.api,
    test: options.test ?? false,
    first_name: options.firstName ?? '',
    last_name: options.lastName ?? '',
    business_phone: options.phone ?? '',
  })
  return summaryOf(merchant)
}

function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return readLine(text)
  throw new InvalidArgumentError('Expected an e-mail address, such as buyer@shop.example.')
}

function listCommand(): Command {
  const example = 'pavilion merchant list'
  return command('list', 'List the merchants, oldest first', example).action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database }) => {
          const page = { limit: LISTED_MAX, offset: 0 }
          return (await listMerchants(database.db, page)).merchants.map(summaryOf)
        },
        (merchants) =>
          tableOf(
            merchants,
            {
              uuid: 'UUID',
              legal_dba: 'Name',
              email: 'E-mail',
              country_code: 'Country',
              currency_code: 'Currency',
              api_enabled: 'API access',
              test: 'Test',
            },
            'No merchants yet. Create one with "pavilion merchant create".',
          ),
      ),
  )
}

function accessCommand(name: string, description: string, api_enabled: boolean): Command {
  return command(name, description, `pavilion merchant ${name} buyer@shop.example`)
    .argument('<uuid|email>', 'Merchant, by UUID or e-mail address')
    .action((uuidOrEmail: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database }) => {
          const { uuid } = await getMerchant(database.db, uuidOrEmail)
          return summaryOf(await updateMerchant(database.db, uuid, { api_enabled }))
        },
        (merchant) => `API access for ${merchant.legal_dba} is ${api_enabled ? 'on' : 'off'}.`,
      ),
    )
}

function summaryOf(merchant: Merchant) {
  const { uuid, email, legal_dba, country_code, currency_code, margin_mode } = merchant
  const { activated, api_enabled, test, rate_limit_per_minute, created_on } = merchant
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
    rate_limit_per_minute,
    created_on,
  }
}
