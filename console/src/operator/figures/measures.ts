import type { Figures } from '../../api/operator.ts'
import { locale, t } from '../../language/language.ts'
import { count, money } from '../../lib/format.ts'

export type FigureName = Exclude<keyof Figures['days'][number], 'day'>

/** A figure that is drawn over time, and the part of it that went wrong. */
export interface Measure {
  name: FigureName
  label: string
  unit: 'USD' | 'count'
  part?: { name: FigureName; label: string }
}

export const MEASURES: readonly Measure[] = [
  { name: 'sold', label: t('Goods sold'), unit: 'USD' },
  { name: 'margin', label: t('Margin'), unit: 'USD' },
  { name: 'orders', label: t('Orders'), unit: 'count' },
  { name: 'payments', label: t('Payments'), unit: 'USD' },
  { name: 'returned', label: t('Returned goods'), unit: 'USD' },
  {
    name: 'searches',
    label: t('Searches'),
    unit: 'count',
    part: { name: 'empty_searches', label: t('Without a result') },
  },
  {
    name: 'source_runs',
    label: t('Fetched files of suppliers'),
    unit: 'count',
    part: { name: 'failed_source_runs', label: t('Failed') },
  },
  {
    name: 'imports',
    label: t('Imports'),
    unit: 'count',
    part: { name: 'failed_imports', label: t('Failed') },
  },
]

/** The columns of the table and of the CSV file. */
export const COLUMNS: readonly (readonly [FigureName, string, Measure['unit']])[] = [
  ['orders', t('Orders'), 'count'],
  ['sold', t('Goods sold'), 'USD'],
  ['cost', t('Cost'), 'USD'],
  ['margin', t('Margin'), 'USD'],
  ['sold_without_cost', t('Sold without a known cost'), 'USD'],
  ['returned', t('Returned goods'), 'USD'],
  ['payments', t('Payments'), 'USD'],
  ['searches', t('Searches'), 'count'],
  ['empty_searches', t('Searches without a result'), 'count'],
  ['source_runs', t('Fetched files'), 'count'],
  ['failed_source_runs', t('Files that could not be fetched'), 'count'],
  ['imports', t('Imports'), 'count'],
  ['failed_imports', t('Failed imports'), 'count'],
]

export function valueText(value: number, unit: Measure['unit']): string {
  return unit === 'USD' ? money(value, 'USD') : count(value)
}

const compact = { notation: 'compact', maximumFractionDigits: 1 } as const
const compactCounts = new Intl.NumberFormat(locale, compact)
const compactDollars = new Intl.NumberFormat(locale, {
  ...compact,
  style: 'currency',
  currency: 'USD',
})

/** Short enough for an axis. */
export function tickText(value: number, unit: Measure['unit']): string {
  return (unit === 'USD' ? compactDollars : compactCounts).format(value)
}
