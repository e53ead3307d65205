import type { ComponentChildren } from 'preact'
import type { Gem } from '../../api/gems.ts'
import { t, tIn } from '../../language/language.ts'
import { isCustomerView } from '../../lib/customer-view.ts'
import { carats, date, decimal, humanize, millimeters, money } from '../../lib/format.ts'
import { colorText, labName, treatmentText, valueLabel } from '../../stones/labels.ts'
import { choiceLabel } from '../labels.ts'

/** A column of the trading table. */
interface Column {
  id: string
  label: string
  /** The width until somebody changes it. */
  widthPx: number
  show: (gem: Gem) => ComponentChildren
  /** As an export writes it, where it is not what is shown. */
  plain?: (gem: Gem) => string | number | null
  sort?: string
  isEnd?: boolean
  /** Whether it is there until somebody changes the columns. */
  isUsual?: boolean
}

const words = (value: string | null) => (value === null ? '–' : valueLabel(value))
const yes = (value: boolean) => (value ? t('Yes') : '–')
const usual = { isUsual: true } as const
const end = { isEnd: true } as const

function amount(id: string, label: string, read: (gem: Gem) => number | null, sort?: string) {
  const show = (gem: Gem) => money(read(gem), gem.currency_code)
  return { id, label, widthPx: 104, show, plain: read, ...end, ...(sort && { sort }) }
}

function measure(id: keyof Gem, label: string, digits = 1, sort?: string): Column {
  const read = (gem: Gem) => gem[id] as number | null
  const show = (gem: Gem) => decimal(read(gem), digits)
  return { id, label, widthPx: 72, show, plain: read, ...end, ...(sort && { sort }) }
}

function grade(id: keyof Gem, label: string, widthPx = 72, sort?: string): Column {
  const read = (gem: Gem) => gem[id] as string | null
  return { id, label, widthPx, show: (gem) => read(gem) ?? '–', plain: read, ...(sort && { sort }) }
}

function inWords(id: keyof Gem, label: string, widthPx: number): Column {
  const read = (gem: Gem) => gem[id] as string | null
  const show = (gem: Gem) => {
    const value = read(gem)
    return value === null ? '–' : choiceLabel(id, value)
  }
  return { id, label, widthPx, show }
}

/** As short as a column of a table needs it. */
const ORIGINS: Readonly<Record<string, string>> = {
  mined: tIn('table', 'Mined'),
  'lab grown': tIn('table', 'Lab grown'),
}

const TREATMENT: Column = {
  id: 'treatment',
  label: t('Treatment'),
  widthPx: 120,
  show: (gem) => treatmentText(gem) || '–',
}

/** Every column, in the order in which they are offered. The SKU always stands before them. */
const ALL: readonly Column[] = [
  {
    id: 'weight',
    label: t('Carat'),
    widthPx: 68,
    show: (gem) => carats(gem.weight).replace(' ct', ''),
    plain: (gem) => gem.weight,
    sort: 'weight',
    ...end,
    ...usual,
  },
  { id: 'shape', label: t('Shape'), widthPx: 96, show: (gem) => words(gem.shape) },
  { id: 'color', label: t('Color'), widthPx: 76, show: colorText, sort: 'color', ...usual },
  { ...grade('clarity', t('Clarity'), 82, 'clarity'), ...usual },
  { ...grade('cut_grade', t('Cut'), 70, 'cut_grade'), ...usual },
  { ...grade('polish_grade', t('Polish'), 68), ...usual },
  { ...grade('symmetry_grade', t('Sym.'), 64), ...usual },
  { ...inWords('fluorescence', t('Fluorescence'), 110), ...usual },
  { ...grade('lab', t('Lab'), 62), show: (gem) => labName(gem) ?? '–', plain: labName, ...usual },
  {
    ...amount('wholesale_price', tIn('table', 'Wholesale'), (gem) => gem.wholesale_price),
    sort: 'wholesale_price',
    ...usual,
  },
  {
    ...amount('retail_price', tIn('table', 'Retail'), (gem) => gem.retail_price, 'retail_price'),
    ...usual,
  },
  { id: 'type', label: t('Origin'), widthPx: 92, show: origin, ...usual },
  { ...measure('table_percentage', t('Table'), 1, 'table_percentage'), ...usual },
  { ...measure('depth_percentage', t('Depth'), 1, 'depth_percentage'), ...usual },
  {
    id: 'size',
    label: t('Size (mm)'),
    widthPx: 140,
    show: (gem) => millimeters(gem.length, gem.width, gem.depth).replace(' mm', ''),
    plain: (gem) => [gem.length, gem.width, gem.depth].join(' x '),
    sort: 'length',
    ...usual,
  },
  { ...measure('ratio', tIn('table', 'Ratio'), 2, 'ratio') },
  {
    id: 'days',
    label: t('Days'),
    widthPx: 62,
    show: (gem) => gem.delivery_days_max ?? '–',
    plain: (gem) => gem.delivery_days_max,
    sort: 'delivery_days_max',
    ...end,
    ...usual,
  },
  {
    ...amount(
      'per_carat',
      t('Per carat'),
      (gem) => Math.round((gem.retail_price / gem.weight) * 100) / 100,
    ),
    sort: 'price_per_carat',
  },
  {
    id: 'base_wholesale_price',
    label: t('Wholesale USD'),
    widthPx: 120,
    show: (gem) => money(gem.base_wholesale_price, gem.base_currency_code),
    plain: (gem) => gem.base_wholesale_price,
    ...end,
  },
  { ...measure('off_rap_percentage', t('List %'), 1, 'off_rap_percentage') },
  { ...grade('cert_num', t('Certificate'), 128) },
  { ...grade('country_code', t('Located'), 76) },
  { ...inWords('eye_clean', t('Eye clean'), 92) },
  { ...grade('grow_method', t('Growth'), 74) },
  TREATMENT,
  { ...measure('crown_angle', t('Crown °')) },
  { ...measure('pavilion_angle', t('Pavilion °')), widthPx: 84 },
  { id: 'girdle', label: t('Girdle'), widthPx: 96, show: girdle },
  { ...grade('culet_size', t('Culet'), 66) },
  { id: 'memo', label: tIn('table', 'Memo'), widthPx: 66, show: (gem) => yes(gem.memo) },
  {
    id: 'returnable',
    label: tIn('table', 'Returnable'),
    widthPx: 92,
    show: (gem) => yes(gem.returnable),
  },
  { id: 'on_hold', label: t('On hold'), widthPx: 76, show: (gem) => yes(gem.on_hold) },
  {
    id: 'created_on',
    label: t('Since'),
    widthPx: 108,
    show: (gem) => date(gem.created_on),
    plain: (gem) => gem.created_on,
    sort: 'created_on',
  },
]

/** What the merchant pays, which no customer who looks at the screen sees. */
const TRADE = [
  'wholesale_price',
  'base_wholesale_price',
  'off_rap_percentage',
  'memo',
  'returnable',
]

export const COLUMNS = ALL.filter(({ id }) => !isCustomerView || !TRADE.includes(id))

function origin({ type }: Gem): string {
  return type === null ? '–' : (ORIGINS[type] ?? type)
}

function girdle({ girdle_min, girdle_max }: Gem): string {
  if (girdle_min === girdle_max) return girdle_min ?? '–'
  return [girdle_min, girdle_max].filter(Boolean).join(' – ')
}

/** A treated stone is never exported without its treatment. */
export function exportedColumns(
  gems: readonly Gem[],
  columns: readonly Column[],
): readonly Column[] {
  const isNamed = columns.some(({ id }) => id === TREATMENT.id)
  return isNamed || !gems.some(treatmentText) ? columns : [...columns, TREATMENT]
}

/** The cell of an export: numbers as numbers, everything else as text. */
export function plainOf(column: Column, gem: Gem): string | number | null {
  if (column.plain) return column.plain(gem)
  const shown = column.show(gem)
  return typeof shown === 'string' ? (shown === '–' ? '' : humanize(shown)) : null
}

export type { Column }
