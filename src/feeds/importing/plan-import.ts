import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { FEED_COLUMNS, type FeedColumn, feedColumns, MADE_BY_THE_OPERATOR } from '../../gems/gem.ts'
import { fed } from '../../gems/operator/override-fields.ts'
import { fillStagedPrices } from '../grids/grid-prices.ts'

/** What an import would do, counted before anything is changed. */
export interface ImportPlan {
  added: number
  changed: number
  unchanged: number
  removed: number
  /** Of the changed ones: those that the feed says are not on offer. */
  not_offered: number
  /** Held or sold stones that the feed no longer lists, or lists again. */
  marked: number
  /** The version of the sheets of reference prices that were used. */
  grids: string
  /** Known stones in the file, except unchanged rows. */
  known: number
  /** Of these: those whose price changes by a fifth or more. */
  jumps: number
}

export const JUMP_PERCENT_MIN = 20
/** The supplier's price counts: a new markup does not make the feed jump. */
const IS_JUMP = sql.raw(`abs(s.cost / nullif(g.cost, 0) - 1) * 100 >= ${JUMP_PERCENT_MIN}`)

/** Nobody sees the decimals behind the cents. */
const PRICE_COLUMNS = feedColumns('price').filter((column) => column !== 'cost_exact')

/** `(g.a, g.b) is distinct from (s.a, s.b)`, with the feed's values beneath overrides. */
function differ(columns: readonly FeedColumn[]) {
  const side = (read: (column: FeedColumn) => string) => columns.map(read).join(', ')
  const staged = side((column) => `s.${column}`)
  return sql.raw(`case when g.overrides is null
    then (${side((column) => `g.${column}`)}) is distinct from (${staged})
    else (${side(fed)}) is distinct from (${staged}) end`)
}

/**
 * Sets the operation of every known staged stone: `price`, `media` or `details` for a change (as
 * followers of the market see it), `back` for one that was gone, `off` for one that is no longer on
 * offer, `same` when only the row's text has changed, `skip` for a stone that is sold or on memo.
 */
export async function planImport(db: Db, missing: readonly number[]): Promise<ImportPlan> {
  await sql`create index on feed_stage (n)`.execute(db)
  const grids = await fillStagedPrices(db)
  // Only the columns that the queries below filter by: all sixty would take a second.
  await sql`analyze feed_stage (n, kind, gem_id)`.execute(db)
  await sql`
    update feed_stage s set op = case
        when g.state in ('sold', 'memo') then 'skip'
        when s.kind = 'off' then case
          when life_state(g) = 'available' then 'off'
          when g.state = 'disabled' and g.quantity > 0 then 'off'
          else 'skip' end
        when g.state = 'gone' then 'back'
        -- Merchants that do not follow treated stones hear of it as a change of details.
        when (g.treatment is null) <> (s.treatment is null) then 'details'
        when ${differ(PRICE_COLUMNS)} then 'price'
        when ${differ(feedColumns('details'))} then 'details'
        when s.quantity is distinct from coalesce(g.feed_quantity, g.quantity) then 'details'
        when g.state = 'disabled' and g.quantity = 0 then 'details'
        when ${differ(feedColumns('media'))} then 'media'
        else 'same' end
    from gem g where g.id = s.gem_id`.execute(db)
  await fillMissing(db, missing)
  await fillMarks(db, missing)
  const counts = await sql<{ kind: string; op: string | null; count: number }>`
    select kind, op, count(*) as count from feed_stage group by kind, op`.execute(db)
  const sum = (matches: (row: { kind: string; op: string | null }) => boolean) =>
    counts.rows.filter(matches).reduce((total, row) => total + row.count, 0)
  const isIdle = (op: string | null) => op === 'same' || op === 'skip'
  const listed = await sql<{ removed: number; marked: number }>`
    select (select count(*) from feed_missing) as removed,
      (select count(*) from feed_marks) as marked`.execute(db)
  return {
    added: sum(({ kind }) => kind === 'new'),
    changed: sum(({ kind, op }) => kind !== 'new' && !isIdle(op)),
    unchanged: sum(({ kind, op }) => kind !== 'new' && isIdle(op)),
    removed: listed.rows[0].removed,
    not_offered: sum(({ op }) => op === 'off'),
    marked: listed.rows[0].marked,
    grids,
    known: sum(({ kind }) => kind === 'known'),
    jumps: await countJumps(db),
  }
}

async function countJumps(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from feed_stage s join gem g on g.id = s.gem_id
    where s.kind = 'known' and s.op <> 'skip' and ${IS_JUMP}`.execute(db)
  return rows[0].count
}

const IDS_PER_STATEMENT = 50_000

/** Lists the stones to remove. A held stone stays, whatever the feed says. */
async function fillMissing(db: Db, missing: readonly number[]): Promise<void> {
  for (let from = 0; from < missing.length; from += IDS_PER_STATEMENT) {
    await sql`
      insert into feed_missing (n, gem_id)
      select row_number() over (order by g.sku) + ${from}, g.id
      from gem g where g.id = any(${missing.slice(from, from + IDS_PER_STATEMENT)}::bigint[])
        and (life_state(g) = 'available' or (g.state = 'disabled' and g.quantity > 0))`.execute(db)
  }
  await sql`create index on feed_missing (n)`.execute(db)
  await sql`analyze feed_missing`.execute(db)
}

/**
 * Lists stones that are held, on memo or sold, with whether the feed still has them: one that it
 * dropped must not come back on sale when its hold or its order ends.
 */
async function fillMarks(db: Db, missing: readonly number[]): Promise<void> {
  const isTaken = sql`(g.state in ('sold', 'memo') or life_state(g) = 'held') and not g.feed_gone`
  await sql`
    insert into feed_marks (n, gem_id, gone)
    select row_number() over (order by sku), id, gone from (
      select g.sku, g.id, true as gone from gem g
      where g.id = any(${missing}::bigint[]) and ${isTaken}
      union all
      select g.sku, g.id, s.kind = 'off' from feed_stage s join gem g on g.id = s.gem_id
      where (s.kind = 'off' and ${isTaken}) or (s.kind = 'known' and g.feed_gone)
    ) as marks`.execute(db)
}

/** A dry run shows at most this many stones per list. */
const DIFF_ROWS_MAX = 1_000

export interface ImportDiff {
  added: ({ row: number; vendor_sku: string } & DiffPrice)[]
  changed: { row: number; vendor_sku: string; sku: string; fields: Record<string, FieldChange> }[]
  removed: ({ vendor_sku: string; sku: string } & DiffPrice)[]
  price_jumps: PriceJump[]
}

/** A supplier reads its own price, the operator the one that it becomes. */
interface DiffPrice {
  wholesale_price?: string
  price?: string
}
export type DiffReader = 'operator' | 'supplier'

interface FieldChange {
  from: unknown
  to: unknown
}

interface PriceJump {
  row: number
  vendor_sku: string
  sku: string
  from: string
  to: string
  percent: number
}

/** Returns the difference that an import would make, stone by stone, for a person to check. */
export async function describePlan(db: Db, reader: DiffReader): Promise<ImportDiff> {
  const column = reader === 'supplier' ? 'cost' : 'wholesale_price'
  const staged = sql.ref(`s.${column}`)
  const name = sql.ref(reader === 'supplier' ? 'price' : 'wholesale_price')
  const added = await sql<ImportDiff['added'][number]>`
    select "row", vendor_sku, ${staged} as ${name} from feed_stage s where kind = 'new'
    order by n limit ${DIFF_ROWS_MAX}`.execute(db)
  const removed = await sql<ImportDiff['removed'][number]>`
    select g.vendor_sku, g.sku, ${sql.ref(`g.${column}`)} as ${name} from feed_missing m
    join gem g on g.id = m.gem_id order by m.n limit ${DIFF_ROWS_MAX}`.execute(db)
  const jumps = await sql<PriceJump>`
    select s."row", g.vendor_sku, g.sku, before as "from", ${staged} as "to",
      round((${staged} / before - 1) * 100, 1)::float8 as percent
    from feed_stage s join gem g on g.id = s.gem_id
    cross join lateral (select ${sql.raw(fed(column))} as before) as price
    where s.kind = 'known' and s.op <> 'skip'
      and ${IS_JUMP}
    order by abs(ln(${staged} / before)) desc, s.n
    limit ${DIFF_ROWS_MAX}`.execute(db)
  return {
    added: added.rows,
    changed: await describeChanges(db, reader),
    removed: removed.rows,
    price_jumps: jumps.rows,
  }
}

/** The quantity has a rule of its own, and nobody sees the decimals behind the cents. */
const UNSEEN: ReadonlySet<FeedColumn> = new Set<FeedColumn>(['quantity', 'cost_exact'])
/** What the operator makes of a supplier's price, or adds to it, is not the supplier's to see. */
const UNSEEN_BY_SUPPLIERS: ReadonlySet<FeedColumn> = new Set<FeedColumn>([
  ...UNSEEN,
  ...MADE_BY_THE_OPERATOR,
  'list_price',
])

async function describeChanges(db: Db, reader: DiffReader): Promise<ImportDiff['changed']> {
  const unseen = reader === 'supplier' ? UNSEEN_BY_SUPPLIERS : UNSEEN
  const { rows } = await sql<{
    row: number
    vendor_sku: string
    sku: string
    op: string
    before: Record<string, unknown>
    after: Record<string, unknown>
  }>`
    select s."row", g.vendor_sku, g.sku, s.op,
      to_jsonb(g) || coalesce(g.feed_values, '{}') as before, to_jsonb(s) as after
    from feed_stage s join gem g on g.id = s.gem_id
    where s.op not in ('same', 'skip') order by s.n limit ${DIFF_ROWS_MAX}`.execute(db)
  return rows.map(({ row, vendor_sku, sku, op, before, after }) => {
    const fields: Record<string, FieldChange> = {}
    if (op === 'off') fields.state = { from: before.state, to: 'gone' }
    if (op === 'back') fields.state = { from: 'gone', to: 'available' }
    if (op !== 'off') {
      for (const column of FEED_COLUMNS) {
        if (unseen.has(column) || before[column] === after[column]) continue
        fields[column] = { from: before[column], to: after[column] }
      }
    }
    return { row, vendor_sku, sku, fields }
  })
}
