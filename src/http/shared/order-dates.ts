import { DAY_MS, sinceFrom } from '../../lib/timestamps.ts'

interface DateQuery {
  ordered_from?: string
  ordered_to?: string
  updated_since?: string
}

const DAY_MICROSECONDS = DAY_MS * 1000
const WHOLE_DAY = /^\d{4}-\d\d-\d\d$/

/** Reads the time ranges of a list of orders. A day without a time ends with its last moment. */
export function datesOf(query: DateQuery): Record<keyof DateQuery, number | undefined> {
  const { ordered_to } = query
  const end = sinceFrom('ordered_to', ordered_to)
  const isDay = ordered_to !== undefined && WHOLE_DAY.test(ordered_to)
  return {
    ordered_from: sinceFrom('ordered_from', query.ordered_from),
    ordered_to: end !== undefined && isDay ? end + DAY_MICROSECONDS - 1 : end,
    updated_since: sinceFrom('updated_since', query.updated_since),
  }
}
