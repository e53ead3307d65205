/** Margins turn wholesale prices into a merchant's retail prices, in tiers of weight or price. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { inTransaction } from '../../database/transaction.ts'
import { renderMargin } from '../../http/shared/settings.ts'
import type { Margin, MarginMode, MarginProduct, TierDraft } from '../../pricing/margin.ts'
import { listMargins } from '../../pricing/margin-store.ts'
import { setMargins } from '../../pricing/set-margins.ts'
import { command, commandGroup, MERCHANT, type MerchantOptions, onMerchant } from '../command.ts'
import { tableOf } from '../output/table.ts'

export function marginCommand(): Command {
  const example = 'pavilion margin list --merchant buyer@shop.example'
  const list = command('list', "List a merchant's own margins", example)
    .requiredOption(...MERCHANT)
    .action((options: MerchantOptions) =>
      onMerchant(
        options,
        async (db, { uuid }) => (await listMargins(db, uuid)).map(rendered),
        showMargins,
      ),
    )
  const description = 'List, set and clear profit margins'
  return commandGroup('margin', description, [list, setCommand(), clearCommand()])
}

interface SetOptions extends MerchantOptions {
  mode: MarginMode
  product: MarginProduct
  tier: TierDraft[]
}

function setCommand(): Command {
  const example =
    'pavilion margin set --merchant buyer@shop.example --tier 0-0.75:35/50 --tier 0.76-10:30/45'
  const description = "Replace a merchant's margins for one kind of product"
  return command('set', description, example)
    .requiredOption(...MERCHANT)
    .addOption(
      new Option('--mode <mode>', 'Whether tiers are bounded by weight or by price')
        .choices(['weight', 'price'])
        .default('weight'),
    )
    .addOption(productOption().default('diamond'))
    .requiredOption('--tier <min-max:mined/lab>', 'Bounds and percentages; repeatable', readTier)
    .action((options: SetOptions) =>
      onMerchant(
        options,
        async (db, { uuid }) => {
          const { mode, product: product_type, tier: tiers } = options
          const table = { mode, product_type, tiers }
          return (await inTransaction(db, (tx) => setMargins(tx, uuid, table))).map(rendered)
        },
        showMargins,
      ),
    )
}

function productOption(): Option {
  return new Option('--product <type>', 'Products that the margins apply to').choices(PRODUCTS)
}

const PRODUCTS = ['diamond', 'gemstone'] as const

interface ClearOptions extends MerchantOptions {
  product?: MarginProduct
}

function clearCommand(): Command {
  const example = 'pavilion margin clear --merchant buyer@shop.example'
  const description = "Remove a merchant's own margins; the default margins apply again"
  return command('clear', description, example)
    .requiredOption(...MERCHANT)
    .addOption(productOption())
    .action((options: ClearOptions) =>
      onMerchant(
        options,
        async (db, { uuid, margin_mode: mode }) => {
          const products = options.product ? [options.product] : PRODUCTS
          await inTransaction(db, async (tx) => {
            for (const product_type of products) {
              await setMargins(tx, uuid, { mode, product_type, tiers: [] })
            }
          })
          return (await listMargins(db, uuid)).map(rendered)
        },
        showMargins,
      ),
    )
}

/** As the API renders it: PostgreSQL returns numeric columns as strings. */
function rendered(margin: Margin) {
  return { product_type: margin.product_type, ...renderMargin(margin) }
}

function showMargins(margins: ReturnType<typeof rendered>[]): string {
  return tableOf(
    margins,
    {
      product_type: 'Product',
      weight_or_price: 'Mode',
      weight_min: 'Min weight',
      weight_max: 'Max weight',
      price_min: 'Min price',
      price_max: 'Max price',
      mined_percent: 'Mined %',
      lab_percent: 'Lab %',
    },
    'This merchant has no margins of its own; the default margins apply.',
  )
}

function readTier(text: string, earlier: TierDraft[] | undefined): TierDraft[] {
  const number = String.raw`(\d+(?:\.\d+)?)`
  const match = new RegExp(`^${number}-${number}:${number}/${number}$`).exec(text)
  if (!match) throw new InvalidArgumentError('Expected min-max:mined/lab, such as 0-0.75:35/50.')
  const [min, max, mined_percent, lab_percent] = match.slice(1).map(Number)
  if (![mined_percent, lab_percent].every(isPercent)) {
    throw new InvalidArgumentError(
      `Expected percentages up to ${PERCENT_MAX} with at most two decimals.`,
    )
  }
  return [...(earlier ?? []), { min, max, mined_percent, lab_percent }]
}

/** As over HTTP: `http/schemas/margins.ts`. */
const PERCENT_MAX = 10_000

function isPercent(value: number): boolean {
  return value <= PERCENT_MAX && Number(value.toFixed(2)) === value
}
