/** Suppliers with their settings. A markup applies at once, the others with the next import. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { StoneType } from '../database/tables/gems.ts'
import { changeSupplier } from '../feeds/importing/applying/change-supplier.ts'
import type { MappingFile } from '../feeds/mapping/mapping-file.ts'
import { readStoneMapping } from '../feeds/mapping/stone-fields.ts'
import type { SupplierSettings } from '../gems/supplier.ts'
import { renderSupplier } from '../gems/supplier.ts'
import { createSupplier, getSupplier, listSuppliers } from '../gems/supplier-store.ts'
import { readJewelryMapping } from '../jewelry/importing/jewelry-fields.ts'
import { readLineUpTo, readWholeNumber, readYesOrNo } from './arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { readMapping } from './import/mapping-file.ts'
import { showSupplier } from './output/supplier.ts'
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
  canHold?: boolean
  confirms?: boolean
  ships?: boolean
  memo?: boolean
  memoDays?: number
  internalDays?: number
  si3?: 'SI2' | 'I1'
  freshDays?: number | 'off'
  type?: StoneType
  mapping?: string | false
  jewelryMapping?: string | false
}

export function supplierCommand(): Command {
  return commandGroup('supplier', 'Create, change and list suppliers', [
    withSettings(
      command('create', 'Create a supplier', 'pavilion supplier create "Surat Gems" --country IND'),
    ).action((name: string, options: SupplierOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          renderSupplier(await createSupplier(db, name, await settingsOf(options))),
        ({ name: made }) => `Created the supplier ${made}.`,
      ),
    ),
    withSettings(
      command(
        'set',
        'Change the settings of a supplier',
        'pavilion supplier set "Surat Gems" --markup 4.5',
      ),
    ).action((name: string, options: SupplierOptions, self: Command) => {
      if (!Object.keys(options).some((option) => option !== 'json' && option !== 'sandbox'))
        self.error('error: name at least one setting to change')
      return onMarket(
        options,
        async ({ database }) => {
          const settings = await settingsOf(options)
          const { supplier, changed } = await changeSupplier(database, name, settings)
          return { ...renderSupplier(supplier), changed }
        },
        (supplier) => showChange(supplier, options),
      )
    }),
    listCommand(),
    showCommand(),
  ])
}

/** A markup applies at once, everything else with the next import. */
function showChange(
  { name, changed }: { name: string; changed: number },
  { markup, markupUs, confirms, ships }: SupplierOptions,
): string {
  if (markup === undefined && markupUs === undefined) {
    const ofOrders = confirms !== undefined || ships !== undefined
    const next = ofOrders ? 'Orders from now on and the next import use' : 'The next import uses'
    return `Changed ${name}. ${next} the new settings.`
  }
  const stones = changed === 1 ? '1 stone has' : `${changed.toLocaleString('en')} stones have`
  return `Changed ${name}. ${stones} a new price; other settings apply with the next import.`
}

function listCommand(): Command {
  return command('list', 'List the suppliers', 'pavilion supplier list').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => (await listSuppliers(db)).map(renderSupplier),
        (suppliers) =>
          tableOf(
            suppliers,
            {
              name: 'Name',
              country_code: 'Country',
              currency_code: 'Currency',
              markup: 'Markup %',
              markup_us: 'US markup %',
              si3: 'SI3 as',
              fresh_days: 'Fresh days',
              synced_on: 'Last import',
            },
            'No suppliers yet. A supplier is created by its first import.',
          ),
      ),
  )
}

function showCommand(): Command {
  const description = 'Show the settings of a supplier, and how its files are read'
  return command('show', description, 'pavilion supplier show "Surat Gems"')
    .argument('<name>', 'Name of the supplier')
    .action((name: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => renderSupplier(await getSupplier(db, name)),
        showSupplier,
      ),
    )
}

function withSettings(each: Command): Command {
  const readDays = readWholeNumber(0, DAYS_MAX)
  return each
    .argument('<name>', 'Name of the supplier')
    .option('--contact <text>', 'Contact address', readLineUpTo(CONTACT_LENGTH_MAX))
    .option('--country <code>', 'Where the stones are: country code of three letters', upperCase)
    .option('--currency <code>', "Currency of the feed's prices", upperCase)
    .option('--markup <percent>', 'Markup on feed prices for the default price list', readPercent)
    .option('--markup-us <percent>', 'Markup on feed prices for the US price list', readPercent)
    .option('--delivery-days <min-max>', 'Delivery time in days, such as 3-7', readSpan)
    .option('--returnable', 'Merchants may return stones')
    .option('--no-returnable', 'Merchants may not return stones')
    .option('--return-days <days>', 'How long a merchant may return a stone', readDays)
    .option('--can-hold', 'Merchants may hold stones')
    .option('--no-can-hold', 'Merchants may not hold stones')
    .option('--confirms <yes|no>', 'The supplier confirms or declines each order', readYesOrNo)
    .option('--ships <yes|no>', 'The supplier ships to the merchants itself', readYesOrNo)
    .option('--memo', 'Stones are available on memo')
    .option('--no-memo', 'Stones are not available on memo')
    .option('--memo-days <days>', 'How long a memo lasts', readDays)
    .option('--internal-days <days>', 'How long we may return a stone to the supplier', readDays)
    .addOption(
      new Option('--si3 <grade>', 'Clarity that SI3 stones are sold as').choices(['SI2', 'I1']),
    )
    .option(
      '--fresh-days <days>',
      'Days without an import after which the stock is taken off sale; "off" for never',
      (text: string) => readFreshDays(text, readDays),
    )
    .addOption(
      new Option('--type <type>', 'What the supplier sells: mined, lab-grown or both').argParser(
        readStoneType,
      ),
    )
    .option('--mapping <file>', 'Mapping of the columns of its files of stones')
    .option('--no-mapping', 'Forget the mapping of its files of stones')
    .option('--jewelry-mapping <file>', 'Mapping of the columns of its files of jewelry')
    .option('--no-jewelry-mapping', 'Forget the mapping of its files of jewelry')
}

const DAYS_MAX = 9_999
/** As over HTTP: `http/schemas/suppliers.ts`. */
const CONTACT_LENGTH_MAX = 500

async function settingsOf(options: SupplierOptions): Promise<SupplierSettings> {
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
    can_hold: options.canHold,
    confirms: options.confirms,
    ships: options.ships,
    memo: options.memo,
    memo_days_to_return: options.memoDays,
    internal_days_to_return: options.internalDays,
    si3: options.si3,
    fresh_days: options.freshDays === 'off' ? null : options.freshDays,
    stone_type: options.type,
    mapping: await mappingOf(options.mapping, readStoneMapping),
    jewelry_mapping: await mappingOf(options.jewelryMapping, readJewelryMapping),
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

/** Reads and checks a mapping file; `--no-mapping` forgets the mapping. */
async function mappingOf(
  path: string | false | undefined,
  check: (mapping: unknown) => unknown,
): Promise<MappingFile | null | undefined> {
  if (path === false) return null
  const mapping = await readMapping(path)
  if (mapping !== undefined) check(mapping)
  return mapping
}

const upperCase = (text: string) => text.toUpperCase()

function readPercent(text: string): string {
  const match = /^([+-]?\d{1,5}(?:\.\d+)?)\s*%?$/.exec(text)
  if (match) return match[1]
  throw new InvalidArgumentError('Expected a percentage, such as 4.5.')
}

const STONE_TYPES: readonly StoneType[] = ['mined', 'lab grown', 'both']

function readStoneType(text: string): StoneType {
  const type = STONE_TYPES.find((known) => known === text.toLowerCase().replace('-', ' '))
  if (type) return type
  throw new InvalidArgumentError('Expected mined, lab-grown or both.')
}

/** Returns 'off' and not null, because Commander treats null as an option without a value. */
function readFreshDays(text: string, readDays: (text: string) => number): number | 'off' {
  return text === 'off' ? 'off' : readDays(text)
}

function readSpan(text: string): [number, number] {
  const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(text)
  if (!match) throw new InvalidArgumentError('Expected days, such as 3-7.')
  return [Number(match[1]), Number(match[2] ?? match[1])]
}
