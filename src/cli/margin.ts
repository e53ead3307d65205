import { type Command, InvalidArgumentError, Option } from 'commander'
import { inTransaction } from '../database/transaction.ts'
import { renderMargin } from '../http/shared/settings-rendering.ts'
import { addAddress, listAddresses } from '../merchants/address-store.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import { addTemplate, listTemplates } from '../merchants/template-store.ts'
import type { Margin, MarginMode, MarginProduct, TierDraft } from '../pricing/margin.ts'
import { listMargins } from '../pricing/margin-store.ts'
import { setMargins } from '../pricing/set-margins.ts'
import { CLARITIES, COLORS } from '../reference/attributes.ts'
import { GRADE_NAMES, type GradeName } from '../reference/default-templates.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

interface OfMerchant extends CommonOptions {
  merchant: string
}

const MERCHANT = ['--merchant <uuid|email>', 'whose it is'] as const

export function marginCommand(): Command {
  const list = command('list', 'list a merchant’s own margins', 'pavilion margin list --merchant M')
    .requiredOption(...MERCHANT)
    .action((options: OfMerchant) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          numbered(await listMargins(db, (await getMerchant(db, options.merchant)).uuid)),
        (margins) => showMargins(margins),
      ),
    )
  return commandGroup('margin', 'list and set profit margins', [list, setCommand()])
}

interface SetOptions extends OfMerchant {
  mode: MarginMode
  product: MarginProduct
  tier?: TierDraft[]
}

function setCommand(): Command {
  const example =
    'pavilion margin set --merchant buyer@shop.example --tier 0-0.75:35/50 --tier 0.76-10:30/45'
  return command('set', 'replace a merchant’s margins; no tier: back to the default', example)
    .requiredOption(...MERCHANT)
    .addOption(modeOption())
    .addOption(productOption())
    .option('--tier <min-max:mined/lab>', 'bounds and percents; may be repeated', readTier)
    .action((options: SetOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const { uuid } = await getMerchant(db, options.merchant)
          const table = {
            mode: options.mode,
            product_type: options.product,
            tiers: options.tier ?? [],
          }
          return numbered(await inTransaction(db, (tx) => setMargins(tx, uuid, table)))
        },
        (margins) => showMargins(margins),
      ),
    )
}

function modeOption(): Option {
  return new Option('--mode <mode>', 'what the bounds measure')
    .choices(['weight', 'price'])
    .default('weight')
}

function productOption(): Option {
  return new Option('--product <type>', 'the kind of product')
    .choices(['diamond', 'gemstone'])
    .default('diamond')
}

/** Margins with numbers where PostgreSQL gives digits, as the interface has them. */
function numbered(margins: Margin[]) {
  return margins.map((margin) => ({ product_type: margin.product_type, ...renderMargin(margin) }))
}

function showMargins(margins: ReturnType<typeof numbered>): string {
  return tableOf(
    margins,
    [
      'product_type',
      'weight_or_price',
      'weight_min',
      'weight_max',
      'price_min',
      'price_max',
      'mined_percent',
      'lab_percent',
    ],
    'No margins of its own: the default tiers apply.',
  )
}

function readTier(text: string, earlier: TierDraft[] | undefined): TierDraft[] {
  const number = String.raw`(\d+(?:\.\d+)?)`
  const match = new RegExp(`^${number}-${number}:${number}/${number}$`).exec(text)
  if (!match) {
    throw new InvalidArgumentError('It takes min-max:mined/lab, for example 0-0.75:35/50.')
  }
  const [min, max, mined_percent, lab_percent] = match.slice(1).map(Number)
  return [...(earlier ?? []), { min, max, mined_percent, lab_percent }]
}

interface AddressOptions extends OfMerchant {
  name: string
  address1: string
  address2?: string
  city: string
  postalCode: string
  region: string
  country: string
  phone?: string
  default?: boolean
}

export function addressCommand(): Command {
  const list = command('list', 'list a merchant’s addresses', 'pavilion address list --merchant M')
    .requiredOption(...MERCHANT)
    .action((options: OfMerchant) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          listAddresses(db, (await getMerchant(db, options.merchant)).uuid),
        (addresses) =>
          tableOf(
            addresses,
            ['uuid', 'name', 'address_1', 'city', 'postal_code', 'country_code', 'is_default'],
            'No address yet. Add one with: pavilion address add --help',
          ),
      ),
    )
  return commandGroup('address', 'list and add shipping addresses', [list, addAddressCommand()])
}

function addAddressCommand(): Command {
  const example =
    'pavilion address add --merchant buyer@shop.example --name "Main store" ' +
    '--address-1 "12 Facet Street" --city "New York" --postal-code 10036 --region NY --country US'
  return command('add', 'add a shipping address', example)
    .requiredOption(...MERCHANT)
    .requiredOption('--name <name>', 'who or what is there')
    .requiredOption('--address-1 <line>', 'street and number')
    .option('--address-2 <line>', 'second line')
    .requiredOption('--city <city>', 'city')
    .requiredOption('--postal-code <code>', 'postal code')
    .option('--region <region>', 'state or region', '')
    .requiredOption('--country <code>', 'two letters')
    .option('--phone <number>', 'phone')
    .option('--default', 'orders go here unless they name another')
    .action((options: AddressOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const { uuid } = await getMerchant(db, options.merchant)
          const address = {
            name: options.name,
            address_1: options.address1,
            address_2: options.address2 ?? '',
            city: options.city,
            postal_code: options.postalCode,
            region: options.region,
            country_code: options.country,
            phone: options.phone ?? '',
            is_default: options.default ?? false,
          }
          return inTransaction(db, (tx) => addAddress(tx, uuid, address))
        },
        ({ uuid, name }) => `Added ${name} as ${uuid}.`,
      ),
    )
}

interface TemplateOptions extends OfMerchant {
  group: string
  label: string
  color: string
  clarity: string
  grade: GradeName
  position?: number
}

export function templateCommand(): Command {
  const list = command('list', 'list a merchant’s templates', 'pavilion template list --merchant M')
    .requiredOption(...MERCHANT)
    .action((options: OfMerchant) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          listTemplates(db, (await getMerchant(db, options.merchant)).uuid),
        (templates) =>
          tableOf(
            templates,
            ['uuid', 'group', 'position', 'label', 'color', 'clarity', 'grade_name'],
            'No templates.',
          ),
      ),
    )
  return commandGroup('template', 'list and add templates of curated search', [
    list,
    addTemplateCommand(),
  ])
}

function addTemplateCommand(): Command {
  const example =
    'pavilion template add --merchant buyer@shop.example --group BRIDAL --label SIGNATURE ' +
    '--color F --clarity VS1 --grade ideal'
  return command('add', 'add a template', example)
    .requiredOption(...MERCHANT)
    .requiredOption('--group <name>', 'templates of one group answer together')
    .requiredOption('--label <name>', 'what the merchant calls it')
    .addOption(
      new Option('--color <grade>', 'the worst color').choices(COLORS).makeOptionMandatory(),
    )
    .addOption(
      new Option('--clarity <grade>', 'the worst clarity').choices(CLARITIES).makeOptionMandatory(),
    )
    .addOption(new Option('--grade <name>', 'the make').choices(GRADE_NAMES).makeOptionMandatory())
    .option('--position <n>', 'rank within the group', readPosition)
    .action((options: TemplateOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const { uuid } = await getMerchant(db, options.merchant)
          const { group, label, color, clarity, grade, position } = options
          const template = { group, label, color, clarity, grade_name: grade }
          return inTransaction(db, (tx) =>
            addTemplate(tx, uuid, { ...template, ...(position && { position }) }),
          )
        },
        ({ uuid, label, position }) => `Added ${label} on position ${position} as ${uuid}.`,
      ),
    )
}

function readPosition(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number from 1.')
}
