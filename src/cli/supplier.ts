import { type Command, InvalidArgumentError, Option } from 'commander'
import type { SupplierSettings } from '../gems/supplier.ts'
import { renderSupplier } from '../gems/supplier-rendering.ts'
import { createSupplier, listSuppliers, setSupplier } from '../gems/supplier-store.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

interface SupplierOptions extends CommonOptions {
  contact?: string
  country?: string
  currency?: string
  markup?: string
  markupUs?: string
  deliveryDays?: [number, number]
  returnable?: boolean
  returnDays?: number
  memo?: boolean
  memoDays?: number
  internalDays?: number
  si3?: 'SI2' | 'I1'
  freshDays?: number | 'off'
}

export function supplierCommand(): Command {
  return commandGroup('supplier', 'create, change and list suppliers', [
    withSettings(
      command('create', 'create a supplier', 'pavilion supplier create "Surat Gems" --country IND'),
    ).action((name: string, options: SupplierOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          renderSupplier(await createSupplier(db, name, settingsOf(options))),
        ({ name: made }) => `Created the supplier ${made}.`,
      ),
    ),
    withSettings(
      command('set', 'change a supplier', 'pavilion supplier set "Surat Gems" --markup 4.5'),
    ).action((name: string, options: SupplierOptions, self: Command) => {
      const settings = settingsOf(options)
      if (Object.keys(settings).length === 0) self.error('error: name a setting to change')
      return onMarket(
        options,
        async ({ database: { db } }) => renderSupplier(await setSupplier(db, name, settings)),
        ({ name: changed }) => `Changed ${changed}; its next import uses the new settings.`,
      )
    }),
    listCommand(),
  ])
}

function listCommand(): Command {
  return command('list', 'list the suppliers', 'pavilion supplier list').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => (await listSuppliers(db)).map(renderSupplier),
        (suppliers) =>
          tableOf(
            suppliers,
            [
              'name',
              'country_code',
              'currency_code',
              'markup',
              'markup_us',
              'si3',
              'fresh_days',
              'synced_on',
            ],
            'No supplier yet. The first import of one creates it.',
          ),
      ),
  )
}

function withSettings(each: Command): Command {
  return each
    .argument('<name>', 'its name')
    .option('--contact <text>', 'how to reach it')
    .option('--country <code>', 'where its stones lie, three letters', upperCase)
    .option('--currency <code>', "of its feed's prices", upperCase)
    .option('--markup <percent>', 'wholesale over feed price, default list', readPercent)
    .option('--markup-us <percent>', 'wholesale over feed price, US list', readPercent)
    .option('--delivery-days <min-max>', 'for example 3-7', readSpan)
    .option('--returnable', 'stones may be returned')
    .option('--no-returnable', 'stones may not be returned')
    .option('--return-days <days>', 'how long a merchant may return a stone', readDays)
    .option('--memo', 'stones go out on memo')
    .option('--no-memo', 'stones do not go out on memo')
    .option('--memo-days <days>', 'how long a memo lasts', readDays)
    .option('--internal-days <days>', 'how long we may return a stone to it', readDays)
    .addOption(new Option('--si3 <grade>', 'what SI3 is sold as').choices(['SI2', 'I1']))
    .option(
      '--fresh-days <days>',
      'stock leaves the market so long after the last import; off: never',
      readFreshDays,
    )
}

function settingsOf(options: SupplierOptions): SupplierSettings {
  const settings: SupplierSettings = {
    contact: options.contact,
    country_code: options.country,
    currency_code: options.currency,
    markup: options.markup,
    markup_us: options.markupUs,
    delivery_days_min: options.deliveryDays?.[0],
    delivery_days_max: options.deliveryDays?.[1],
    returnable: options.returnable,
    days_to_return: options.returnDays,
    memo: options.memo,
    memo_days_to_return: options.memoDays,
    internal_days_to_return: options.internalDays,
    si3: options.si3,
    fresh_days: options.freshDays === 'off' ? null : options.freshDays,
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

const upperCase = (text: string) => text.toUpperCase()

function readPercent(text: string): string {
  const match = /^([+-]?\d{1,5}(?:\.\d+)?)\s*%?$/.exec(text)
  if (match) return match[1]
  throw new InvalidArgumentError('It takes a percentage, for example 4.5.')
}

function readDays(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number of days.')
}

/** Not null: Commander takes a null for an option without a value. */
function readFreshDays(text: string): number | 'off' {
  return text === 'off' ? 'off' : readDays(text)
}

function readSpan(text: string): [number, number] {
  const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(text)
  if (!match) throw new InvalidArgumentError('It takes days such as 3-7.')
  return [Number(match[1]), Number(match[2] ?? match[1])]
}
