import type { Figures } from '../../api/operator.ts'
import { t } from '../../language/language.ts'
import { type Bucket, bucketsOf, daysPerBucket } from './buckets.ts'
import type { Measure } from './measures.ts'
import { dayText, shortDay } from './range.ts'
import type { Point } from './scale.ts'

/** The figures of a range in the steps in which they are drawn, and those of the period before. */
export interface Steps {
  buckets: Bucket[]
  before: Bucket[] | undefined
}

export function stepsOf({ days }: Figures, before: Figures | undefined): Steps {
  const size = daysPerBucket(days.length)
  return { buckets: bucketsOf(days, size), before: before && bucketsOf(before.days, size) }
}

export function pointsOf({ buckets, before }: Steps, { name, part }: Measure): Point[] {
  return buckets.map((bucket, at) => ({
    short: shortDay(bucket.from),
    long: bucketText(bucket),
    value: bucket.values[name],
    part: part && bucket.values[part.name],
    before: before?.[at]?.values[name],
  }))
}

export function bucketText({ from, to }: Bucket): string {
  if (from === to) return dayText(from)
  return t('{from} to {to}', { from: dayText(from), to: dayText(to) })
}
