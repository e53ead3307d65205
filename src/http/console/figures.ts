import type { Static } from 'typebox'
import { scaledFrom } from '../../lib/money.ts'
import { Refusal } from '../../lib/refusal.ts'
import { DAY_MS, dayFrom } from '../../lib/timestamps.ts'
import {
  type DayRange,
  readExposure,
  readSales,
  type SalesDay,
} from '../../orders/ledger/sales-figures.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import { type App, operatorWith } from '../route.ts'
import { FiguresQuery, FiguresSchema } from '../schemas/overview.ts'
import type { Services } from '../services.ts'
import { type ActivityDay, readActivity } from './figures-store.ts'

/** A year, and enough before it to compare its weeks. */
const DAYS_MAX = 400
const DAYS_UNLESS_GIVEN = 30

/** Sales, margin, searches and feeds by day, and what the market is owed. */
export function registerFigures(app: App, { db, clock, searches, realm }: Services): void {
  app.get(
    '/api/operator/figures',
    {
      config: { access: operatorWith('settings:read') },
      schema: {
        tags: ['Overview'],
        summary: 'Returns sales, margin, payments, searches and imports by day',
        description:
          'Days are those of UTC. Orders of test merchants do not count, except in a sandbox. ' +
          'Searches of other nodes are added within a minute; runs of sources are known as long ' +
          'as their history is kept.',
        querystring: FiguresQuery,
        response: { 200: FiguresSchema },
      },
    },
    async ({ query }) => {
      const range = rangeOf(query, clock.now())
      const options = { isSandbox: realm === 'test' }
      await searches.days.save(db)
      const [sales, activity, exposure] = await Promise.all([
        readSales(db, range, options),
        readActivity(db, range),
        readExposure(db, options),
      ])
      return { ...renderDays(range, sales, activity), exposure: renderExposure(exposure) }
    },
  )
}

function rangeOf(query: Static<typeof FiguresQuery>, nowMs: number): DayRange {
  const today = new Date(nowMs).toISOString()
  const to = dayFrom('to', query.to) ?? dayAfter(today, 0)
  const from = dayFrom('from', query.from) ?? dayAfter(to, 1 - DAYS_UNLESS_GIVEN)
  const days = daysOf({ from, to })
  if (days >= 1 && days <= DAYS_MAX) return { from, to }
  const message =
    days < 1 ? `must not be after to (${to})` : `must be at most ${DAYS_MAX} days before ${to}`
  throw new Refusal('invalid_request', `from ${message}.`, {
    errors: [{ field: 'from', message }],
  })
}

function dayAfter(day: string, days: number): string {
  const midnight = Date.parse(`${day.slice(0, 10)}T00:00Z`)
  return new Date(midnight + days * DAY_MS).toISOString().slice(0, 10)
}

/** How many days the range has, its bounds included. */
function daysOf({ from, to }: DayRange): number {
  return (Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS + 1
}

const AMOUNTS = ['sold', 'cost', 'sold_without_cost', 'returned', 'payments'] as const
const COUNTS = [
  'searches',
  'empty_searches',
  'imports',
  'failed_imports',
  'source_runs',
  'failed_source_runs',
] as const

/** The amounts in 1/10,000 dollars, whose sums are exact. */
interface Sums extends Record<(typeof AMOUNTS)[number], bigint> {
  counts: Record<'orders' | (typeof COUNTS)[number], number>
}

function renderDays(range: DayRange, sales: readonly SalesDay[], activity: readonly ActivityDay[]) {
  const salesOf = new Map(sales.map((each) => [each.day, each]))
  const activityOf = new Map(activity.map((each) => [each.day, each]))
  const days = Array.from({ length: daysOf(range) }, (_, at) => {
    const day = dayAfter(range.from, at)
    return { day, sums: sumsOf(salesOf.get(day), activityOf.get(day)) }
  })
  const totals = days.reduce((sum, { sums }) => added(sum, sums), sumsOf(undefined, undefined))
  return {
    ...range,
    currency_code: BASE_CURRENCY,
    days: days.map(({ day, sums }) => ({ day, ...renderSums(sums) })),
    totals: renderSums(totals),
  }
}

function sumsOf(sales: SalesDay | undefined, activity: ActivityDay | undefined): Sums {
  const [sold, cost, sold_without_cost, returned, payments] = AMOUNTS.map((name) =>
    scaledFrom(sales?.[name] ?? '0', 4),
  )
  const counts = {
    orders: sales?.orders ?? 0,
    searches: activity?.searches ?? 0,
    empty_searches: activity?.empty_searches ?? 0,
    imports: activity?.imports ?? 0,
    failed_imports: activity?.failed_imports ?? 0,
    source_runs: activity?.source_runs ?? 0,
    failed_source_runs: activity?.failed_source_runs ?? 0,
  }
  return { sold, cost, sold_without_cost, returned, payments, counts }
}

function added(a: Sums, b: Sums): Sums {
  const counts = { ...a.counts }
  for (const name of ['orders', ...COUNTS] as const) counts[name] += b.counts[name]
  return {
    sold: a.sold + b.sold,
    cost: a.cost + b.cost,
    sold_without_cost: a.sold_without_cost + b.sold_without_cost,
    returned: a.returned + b.returned,
    payments: a.payments + b.payments,
    counts,
  }
}

function renderSums({ counts, ...sums }: Sums) {
  return {
    ...counts,
    sold: dollars(sums.sold),
    cost: dollars(sums.cost),
    margin: dollars(sums.sold - sums.sold_without_cost - sums.cost),
    sold_without_cost: dollars(sums.sold_without_cost),
    returned: dollars(sums.returned),
    payments: dollars(sums.payments),
  }
}

/** A division by a power of ten is correctly rounded: the number nearest to the decimal. */
function dollars(scaled: bigint): number {
  return Number(scaled) / 10_000
}

function renderExposure(exposure: Awaited<ReturnType<typeof readExposure>>) {
  const { unpaid, overdue, on_memo, memo_overdue, ...counts } = exposure
  return {
    ...counts,
    unpaid: Number(unpaid),
    overdue: Number(overdue),
    on_memo: Number(on_memo),
    memo_overdue: Number(memo_overdue),
  }
}
