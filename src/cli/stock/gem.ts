/** Single stones: what is known of them, and what the operator sets by hand. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Tx } from '../../database/open.ts'
import type { GemProductType } from '../../database/tables/gems.ts'
import { inTransaction } from '../../database/transaction.ts'
import { LIFE_STATES, type LifeState } from '../../gems/gem-life.ts'
import { changeGem, type GemChange, releaseGem } from '../../gems/operator/change-gem.ts'
import { listGems } from '../../gems/operator/list-gems.ts'
import {
  OVERRIDE_COLUMNS,
  OVERRIDE_URL_CHARS_MAX,
  type OverrideColumn,
} from '../../gems/operator/override-fields.ts'
import { type OperatorGem, readGem } from '../../gems/operator/read-gem.ts'
import { readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { showGem, showGems } from '../output/gem.ts'

const SKU = ['<sku>', 'SKU of the stone'] as const

export function gemCommand(): Command {
  return commandGroup('gem', 'Find single stones, change them by hand and end their holds', [
    showCommand(),
    listCommand(),
    setCommand(),
    enableCommand('disable', 'Take a stone off sale; orders that have it keep it', false),
    enableCommand('enable', 'Put a disabled stone back on sale', null),
    releaseCommand(),
  ])
}

function showCommand(): Command {
  const description = 'Show a stone with its offers, overrides and history'
  return command('show', description, 'pavilion gem show K7Q2M9X4TB')
    .argument(...SKU)
    .action((sku: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db }, publicUrl }) => readGem(db, sku, await publicUrl()),
        showGem,
      ),
    )
}

interface ListOptions extends CommonOptions {
  supplier?: string
  state?: LifeState
  productType?: GemProductType
  limit: number
  offset: number
}

const LISTED = 100
const LISTED_MAX = 10_000

function listCommand(): Command {
  return command('list', 'List stones, oldest first', 'pavilion gem list "GIA 2141438171"')
    .argument('[text]', 'Beginning of a SKU, stock number or certificate number')
    .option('--supplier <name>', 'Only stones of this supplier')
    .addOption(new Option('--state <state>', 'Only stones in this state').choices(LIFE_STATES))
    .addOption(
      new Option('--product-type <type>', 'Only this kind of product').choices([
        'diamond',
        'melee',
        'gemstone',
      ]),
    )
    .option('--limit <rows>', 'How many to list', readWholeNumber(1, LISTED_MAX), LISTED)
    .option('--offset <rows>', 'How many to skip', readWholeNumber(0, Number.MAX_SAFE_INTEGER), 0)
    .action((q: string | undefined, options: ListOptions) => {
      const { supplier, state, productType: product_type, limit, offset } = options
      return onMarket(
        options,
        async ({ database: { db } }) => ({
          ...(await listGems(db, { q, supplier, state, product_type, limit, offset })),
          offset,
          limit,
        }),
        showGems,
      )
    })
}

/** What each column is, for the help. */
const DESCRIPTIONS: Record<OverrideColumn, string> = {
  can_hold: 'Whether it can be held',
  memo: 'Whether it can be taken on memo',
  returnable: 'Whether it can be returned',
  wholesale_price: 'Default list, in US dollars; of a parcel per carat',
  wholesale_price_us: 'US list, in US dollars; of a parcel per carat',
  is_sustainable: 'Whether it is marked as sustainable',
  sustainability_details: 'Evidence for that, as a JSON object',
  tolerance_positive: 'Upper size tolerance of a parcel, in millimetres',
  tolerance_negative: 'Lower size tolerance of a parcel, in millimetres',
  media_requested: 'Whether pictures were requested',
  image_top_url: 'Picture from the top',
  image_bottom_url: 'Picture from below',
  video_url: 'Video',
  ux_url: '360 degree viewer',
  cached_ux_url: '360 degree viewer, from a cache',
  v360_json_base_url: 'Base address of the 360 degree frames',
  v360_info: 'The frames, as a JSON object',
  cert_url: 'Address of the certificate',
  original_imported_ext_url: "The supplier's own page of the stone",
}

/** What an option of a type takes; `feed` takes an override back. */
const VALUES: Record<(typeof OVERRIDE_COLUMNS)[OverrideColumn], string> = {
  boolean: 'yes|no|feed',
  numeric: 'number|feed',
  text: 'url|none|feed',
  jsonb: 'json|feed',
}

const COLUMNS = Object.keys(OVERRIDE_COLUMNS) as OverrideColumn[]

/** Options that were not given are not parsed, and null means the feed's value again. */
interface SetOptions extends CommonOptions {
  note?: string | false
  [column: string]: unknown
}

function setCommand(): Command {
  const description = "Set fields of a stone by hand; they stand until they are set to 'feed'"
  const each = command('set', description, 'pavilion gem set K7Q2M9X4TB --wholesale-price 4250')
    .argument(...SKU)
    .option('--note <text>', 'A note for the operator; merchants do not see it')
    .option('--no-note', 'Remove the note')
  for (const column of COLUMNS) {
    const type = OVERRIDE_COLUMNS[column]
    const flags = `--${column.replaceAll('_', '-')} <${VALUES[type]}>`
    each.option(flags, DESCRIPTIONS[column], (text) => wrapped(READERS[type](text, column)))
  }
  return each.action((sku: string, options: SetOptions, self: Command) => {
    const change = changeFrom(options, self)
    if (Object.keys(change).length === 0) self.error('error: name at least one field to set')
    return write(options, sku, (tx) => changeGem(tx, sku, change))
  })
}

/** Commander replaces a null that a parser returns. */
interface Wrapped {
  value: unknown
}

/** Typed as Commander wants it. */
function wrapped(value: unknown): string {
  const given: Wrapped = { value }
  return given as unknown as string
}

function changeFrom({ note }: SetOptions, self: Command): GemChange {
  const change: GemChange = {}
  for (const column of COLUMNS) {
    const option = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const given: Wrapped | undefined = self.getOptionValue(option)
    if (given) change[column] = given.value
  }
  if (typeof note === 'string') change.note = note === '' ? null : note
  else if (self.getOptionValueSource('note') === 'cli') change.note = null
  return change
}

/** What the columns hold: amounts of twelve digits, tolerances below 100 mm. */
const PRICE = /^(?!0*(\.0*)?$)\d{1,10}(\.\d{1,2})?$/
const MILLIMETRES = /^\d{1,2}(\.\d{1,3})?$/

const READERS: Record<
  (typeof OVERRIDE_COLUMNS)[OverrideColumn],
  (text: string, column: OverrideColumn) => unknown
> = {
  boolean(text) {
    if (text === 'feed') return null
    if (text === 'yes' || text === 'no') return text === 'yes'
    throw new InvalidArgumentError('Expected yes, no or feed.')
  },
  numeric(text, column) {
    if (text === 'feed') return null
    const isPrice = column.startsWith('wholesale_price')
    if ((isPrice ? PRICE : MILLIMETRES).test(text)) return Number(text)
    const example = isPrice ? 'an amount such as 4250.50' : 'millimetres such as 0.02'
    throw new InvalidArgumentError(`Expected ${example}, or feed.`)
  },
  text(text) {
    if (text === 'feed') return null
    if (text === 'none') return ''
    if (/^https?:\/\/\S+$/.test(text) && text.length <= OVERRIDE_URL_CHARS_MAX) return text
    throw new InvalidArgumentError('Expected an address such as https://…, none or feed.')
  },
  jsonb(text) {
    if (text === 'feed') return null
    const value = parsed(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    throw new InvalidArgumentError('Expected a JSON object, or feed.')
  },
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function enableCommand(verb: string, description: string, enabled: false | null): Command {
  return command(verb, description, `pavilion gem ${verb} K7Q2M9X4TB`)
    .argument(...SKU)
    .option('--note <text>', 'A note for the operator; merchants do not see it')
    .action((sku: string, options: CommonOptions & { note?: string }) => {
      const change = { enabled, ...(options.note !== undefined && { note: options.note || null }) }
      return write(options, sku, (tx) => changeGem(tx, sku, change))
    })
}

function releaseCommand(): Command {
  const description = 'End the hold on a stone, of whichever merchant and by whichever offer'
  return command('release', description, 'pavilion gem release K7Q2M9X4TB')
    .argument(...SKU)
    .action((sku: string, options: CommonOptions) =>
      write(options, sku, (tx) => releaseGem(tx, sku)),
    )
}

/** Changes the stone, and prints it as it is afterwards. */
function write(
  options: CommonOptions,
  sku: string,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  return onMarket(
    options,
    async ({ database: { db }, publicUrl }): Promise<OperatorGem> => {
      await inTransaction(db, work)
      return readGem(db, sku, await publicUrl())
    },
    showGem,
  )
}
