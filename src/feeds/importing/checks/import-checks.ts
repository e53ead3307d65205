/** The checks that refuse an import as a whole, before it changes anything. */
import { type FieldError, Refusal } from '../../../lib/refusal.ts'
import { type MappedFeed, UNFIT } from '../../mapping/apply-mapping.ts'
import type { FieldName } from '../../mapping/fields.ts'
import { type FeedMapping, hasWeight, type Misfit } from '../../mapping/mapping.ts'
import { refuseFaults, valueFault } from '../../mapping/mapping-file.ts'
import { STONE_FIELDS } from '../../mapping/stone-fields.ts'
import type { RawRow } from '../../reading/raw-row.ts'
import type { RejectionLog } from '../rejection-log.ts'

/** Refuses translations into values that the field of their column does not have. */
export function checkTranslations(
  { columns }: FeedMapping,
  { ruleAt }: Pick<MappedFeed, 'ruleAt'>,
): void {
  const errors: FieldError[] = []
  for (const [at, { values }] of ruleAt) {
    if (values.size === 0) continue
    const { column, field, reason } = columns[at]
    const refuse = (message: string) => errors.push({ field: `mapping.${column}`, message })
    if (field === null) {
      refuse(`has translations, but the column is not used (${reason}); give it a field`)
      continue
    }
    for (const [from, to] of values) {
      const fault = valueFault(field, to, STONE_FIELDS)
      if (fault) refuse(`translates ${JSON.stringify(from)} to ${fault}`)
    }
  }
  refuseFaults(UNFIT, errors)
}

/** What a person does about a missing column, in a browser or on the command line. */
const HOW_TO_NAME =
  'name it in the table of columns of the console, or in a mapping, which --explain writes and ' +
  '--mapping reads.'

/** Refuses a file without the columns that every stone needs. */
export function checkColumns(mapping: FeedMapping, sample: readonly RawRow[] = []): void {
  const [missing, ...seen] = missingColumns(mapping, sample)
  if (missing === undefined) return
  const detail = `${missing}; ${HOW_TO_NAME}`
  throw new Refusal('invalid_request', [detail, ...seen].slice(0, 6).join(' '))
}

/** Says which columns are missing that every stone needs, and what was seen of them. */
export function missingColumns(
  { at, misfits = [] }: FeedMapping,
  sample: readonly RawRow[],
): string[] {
  const hasPrice =
    at.price_per_carat !== undefined ||
    at.total_price !== undefined ||
    (at.list_price !== undefined && at.discount_percentage !== undefined)
  const hasStock = at.vendor_sku !== undefined || at.cert_num !== undefined
  // A heading or the name of a sheet says it, too.
  const hasShape = at.shape !== undefined || sample.some((row) => row.namedShape !== undefined)
  const needed: { isThere: boolean; name: string; fields: readonly FieldName[]; are: string }[] = [
    { isThere: hasStock, name: 'stock number', fields: STOCK, are: 'stock numbers' },
    { isThere: hasWeight({ at }), name: 'weight', fields: ['weight'], are: 'numbers' },
    { isThere: hasShape, name: 'shape', fields: ['shape'], are: 'known shapes' },
    { isThere: hasPrice, name: 'price', fields: PRICES, are: 'numbers' },
  ]
  const missing = needed.filter(({ isThere }) => !isThere)
  if (missing.length === 0) return []
  const seen = missing.flatMap(({ fields, are }) =>
    misfits.filter(({ field }) => fields.includes(field)).map((misfit) => describe(misfit, are)),
  )
  const names = missing.map(({ name }) => name).join(', ')
  return [`No column was recognized as ${names}`, ...new Set(seen)]
}

const STOCK: readonly FieldName[] = ['vendor_sku', 'cert_num']
const PRICES: readonly FieldName[] = ['price_per_carat', 'total_price', 'list_price']
/** Of fewer values a percentage says more than is known. */
const PERCENT_FROM_VALUES = 20
const VALUE_CHARS_SHOWN = 40

/** `Weight is there, but only 16% of its values are numbers`. */
function describe({ column, fitting, seen, example }: Misfit, are: string): string {
  const share =
    seen < PERCENT_FROM_VALUES
      ? `only ${fitting} of its ${seen} values`
      : `only ${Math.round((fitting / seen) * 100)}% of its values`
  const shown =
    example === '' ? '' : ` (one is ${JSON.stringify(example.slice(0, VALUE_CHARS_SHOWN))})`
  return `${column} is there, but ${share} are ${are}${shown}.`
}

/** Refuses to replace the stock by a file that is cut off: it would remove what the file lacks. */
export function checkDamage(damage: string | undefined): void {
  if (damage === undefined) return
  const detail = `The file is damaged (${damage}) and cannot replace the stock.`
  throw new Refusal('invalid_request', detail)
}

const UNREADABLE_MAX = 100_000
const READABLE_SHARE_MIN = 0.01

/** Refuses, while it is read, a long file of which next to nothing can be sold. */
export function checkReadable(
  { rows, unreadable }: { rows: number; unreadable: number },
  rejections: Pick<RejectionLog, 'kept'>,
): void {
  if (unreadable < UNREADABLE_MAX || rows - unreadable >= rows * READABLE_SHARE_MIN) return
  const [first] = rejections.kept()
  const detail =
    `${unreadable} of the first ${rows} rows were rejected, and the rest was not read. ` +
    `Row ${first.row}, ${first.column}: ${first.reason}. Nothing was changed.`
  throw new Refusal('invalid_request', detail)
}

/** What a file may remove or re-price unless the operator allows more. */
export const REMOVED_SHARE_MAX = 0.4

/** Refuses a file that would remove too much of the stock, because it may have been cut off. */
export function checkRemoved(
  removed: number,
  { live, noun }: { live: number; noun: 'stones' | 'variants' },
  share = REMOVED_SHARE_MAX,
): void {
  if (live === 0 || removed <= live * share) return
  const percent = Math.round((removed / live) * 100)
  const percentMax = Math.round(share * 100)
  const detail =
    `The file would remove ${removed} of ${live} ${noun} (${percent}%), ` +
    `more than the allowed ${percentMax}%; nothing was changed.`
  throw new Refusal('too_many_removed', detail, {
    extra: { removed, live, max_removed_percent: percentMax },
  })
}

export const JUMPS_SHARE_MAX = 0.05
/** In a small file a few real changes of price are a large share. */
const JUMPS_ALWAYS_ALLOWED = 2

/** Refuses a file in which too many known stones change their price by a fifth or more. */
export function checkJumps(
  jumps: number,
  { known, noun }: { known: number; noun: 'stones' | 'variants' },
  share = JUMPS_SHARE_MAX,
): void {
  if (jumps <= JUMPS_ALWAYS_ALLOWED || jumps <= known * share) return
  const percent = Math.round((jumps / known) * 100)
  const percentMax = Math.round(share * 100)
  const detail =
    `The prices of ${jumps} of ${known} known ${noun} (${percent}%) would change by 20% or more, ` +
    `which is allowed for ${percentMax}%. If the prices are right, ` +
    `import it again with --max-jumps ${Math.ceil((jumps / known) * 100)}%. Nothing was changed.`
  throw new Refusal('too_many_jumps', detail, {
    extra: { jumps, known, max_jumps_percent: percentMax },
  })
}
