import type { Figures } from '../../api/operator.ts'
import { COLUMNS, type FigureName } from './measures.ts'

/** The figures of a day, or of several days together. */
export interface Bucket {
  from: string
  to: string
  values: Record<FigureName, number>
}

/** More bars than these are too thin to be told apart. */
const BARS_MAX = 92
const WEEK = 7

export function daysPerBucket(days: number): number {
  return days > BARS_MAX ? WEEK : 1
}

/**
 * Adds up the days from the last one backwards: where they are not a number of whole weeks, the
 * first week is the short one, and periods of the same length have weeks of the same lengths.
 */
export function bucketsOf(days: Figures['days'], size: number): Bucket[] {
  const buckets: Bucket[] = []
  for (let end = days.length; end > 0; end -= size) {
    const part = days.slice(Math.max(0, end - size), end)
    buckets.unshift({ from: part[0].day, to: part[part.length - 1].day, values: sumOf(part) })
  }
  return buckets
}

/** Amounts have four decimals at most, so that the sums of whole numbers are exact. */
const SCALE = 10_000

function sumOf(days: Figures['days']): Bucket['values'] {
  const sum = (name: FigureName) =>
    days.reduce((total, day) => total + Math.round(day[name] * SCALE), 0) / SCALE
  return Object.fromEntries(COLUMNS.map(([name]) => [name, sum(name)])) as Bucket['values']
}
