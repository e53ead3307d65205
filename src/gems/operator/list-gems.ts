import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { GemProductType, GemTable } from '../../database/tables/gems.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import type { LifeState } from '../gem-life.ts'
import { findSupplier } from '../supplier-store.ts'
import { isEnabled } from './change-gem.ts'

interface GemListQuery {
  /** The beginning of a SKU, of a supplier's stock number or of a certificate's number. */
  q?: string | undefined
  /** Name of the supplier. */
  supplier?: string | undefined
  state?: LifeState | undefined
  product_type?: GemProductType | undefined
  sort_col?: GemSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

/** What the list can be sorted by. A stone that is added later has a higher id. */
const SORTS = {
  created_on: sql`id`,
  updated_on: sql`updated_on`,
  sku: sql`sku`,
  weight: sql`weight`,
  wholesale_price: sql`wholesale_price`,
} as const

type GemSort = keyof typeof SORTS
export const GEM_SORTS = Object.keys(SORTS) as GemSort[]

const LISTED = [
  'sku',
  'vendor_sku',
  'product_type',
  'type',
  'species',
  'shape',
  'weight',
  'color',
  'clarity',
  'lab',
  'lab_name',
  'cert_num',
  'wholesale_price',
  'wholesale_price_us',
  'quantity',
  'state',
  'overrides',
  'is_manual',
  'note',
  'created_on',
  'updated_on',
] as const

type ListedRow = Pick<Selectable<GemTable>, (typeof LISTED)[number]> & {
  supplier: string
  life_state: LifeState
}

/** The operator's list of stones, oldest first unless asked otherwise, with an exact count. */
export async function listGems(
  db: Db,
  query: GemListQuery,
): Promise<{ gems: ListedGem[]; total: number }> {
  const where = await conditionOf(db, query)
  const { ids, total } = await (query.q === undefined ? pageOfList : pageOfMatches)(
    db,
    where,
    query,
  )
  const { rows } = await sql<ListedRow>`
    select ${sql.raw(LISTED.map((column) => `gem.${column}`).join(', '))},
      supplier.name as supplier, life_state(gem) as life_state
    from gem join supplier on supplier.id = gem.supplier_id
    where gem.id = any(${ids}::bigint[])
    order by array_position(${ids}::bigint[], gem.id)`.execute(db)
  return { gems: rows.map(renderRow), total }
}

interface FoundPage {
  ids: number[]
  total: number
}

type Page = Pick<GemListQuery, 'sort_col' | 'sort_order' | 'limit' | 'offset'>

function orderOf({ sort_col = 'created_on', sort_order = 'asc' }: Page): RawBuilder<unknown> {
  const direction = sort_order === 'desc' ? sql`desc` : sql`asc`
  // The id decides between equal ones in the same direction, so that one index serves both.
  return sql`${SORTS[sort_col]} ${direction}, id ${direction}`
}

/** Page and count come from an index alone, so that a page far behind costs little more. */
async function pageOfList(db: Db, where: RawBuilder<unknown>, page: Page): Promise<FoundPage> {
  const { limit, offset } = page
  const { rows } = await sql<FoundPage>`
    select array(select id from gem where ${where} order by ${orderOf(page)}
      limit ${limit} offset ${offset}) as ids,
      (select count(*) from gem where ${where}) as total`.execute(db)
  return rows[0]
}

/**
 * Few stones match a text, but PostgreSQL expects many, and would look for them in the order of the
 * list. So they are found first, by the indexes of the text.
 */
async function pageOfMatches(db: Db, where: RawBuilder<unknown>, page: Page): Promise<FoundPage> {
  const { limit, offset } = page
  const { rows } = await sql<FoundPage>`
    with found as materialized (
      select id, updated_on, sku, weight, wholesale_price from gem where ${where})
    select array(select id from found order by ${orderOf(page)}
      limit ${limit} offset ${offset}) as ids,
      (select count(*) from found) as total`.execute(db)
  return rows[0]
}

async function conditionOf(
  db: Db,
  { q, supplier, state, product_type }: GemListQuery,
): Promise<RawBuilder<unknown>> {
  const conditions = [sql`true`]
  if (supplier !== undefined) {
    const found = await findSupplier(db, supplier)
    conditions.push(found ? sql`supplier_id = ${found.id}` : sql`false`)
  }
  if (product_type !== undefined) conditions.push(sql`product_type = ${product_type}`)
  if (state !== undefined) conditions.push(IS_IN_STATE[state])
  if (q !== undefined) conditions.push(startsWith(q.trim()))
  return sql.join(conditions, sql` and `)
}

const IS_HELD = sql`hold_expires_on > market_now()`

export const IS_IN_STATE: Record<LifeState, RawBuilder<unknown>> = {
  available: sql`state = 'available' and (${IS_HELD}) is not true`,
  // The second condition is that of the index of holds.
  held: sql`state = 'available' and hold_uuid is not null and ${IS_HELD}`,
  sold: sql`state = 'sold'`,
  memo: sql`state = 'memo'`,
  gone: sql`state = 'gone'`,
  disabled: sql`state = 'disabled'`,
}

/** The last character that there is: no text that begins with a prefix sorts behind it. */
const LAST = '\u{10ffff}'

/**
 * Whether a SKU, a supplier's stock number or a certificate's number begins with the text. Letter
 * case does not count, and of a certificate's number letters and digits only.
 */
export function startsWith(q: string): RawBuilder<unknown> {
  const begins = (indexed: RawBuilder<unknown>, prefix: RawBuilder<unknown>) =>
    sql`(${indexed} collate "C" >= ${prefix} and ${indexed} collate "C" < ${prefix} || ${LAST})`
  const normalised = (text: string) => sql`letters_and_digits(${text}::text)`
  // A certificate begins with its number; parcels and stones without a laboratory have none. A
  // number without a letter or digit would begin every one.
  const beginsNumber = (number: string) => sql`(${normalised(number)} <> ''
    and (${begins(sql`certificate`, normalised(number))} or (certificate is null
      and cert_num is not null
      and ${begins(sql`letters_and_digits(cert_num)`, normalised(number))})))`
  const conditions = [
    begins(sql`upper(vendor_sku collate "C")`, sql`upper(${q}::text collate "C")`),
    beginsNumber(q),
  ]
  if (/^[0-9A-Z]+$/i.test(q)) conditions.push(beginsSku(q.toUpperCase()))
  // `GIA 2141438171`
  const named = /^([\p{L}\p{N}]+)[^\p{L}\p{N}]+(.+)$/su.exec(q)
  if (named) {
    conditions.push(sql`(${beginsNumber(named[2])}
      and letters_and_digits(coalesce(lab, lab_name)) = ${normalised(named[1])})`)
  }
  return sql`(${sql.join(conditions, sql` or `)})`
}

/**
 * SKUs have ten letters and digits, so that their own index finds a beginning, too, in nearly every
 * language that a database may sort by. A whole SKU is found in all of them.
 */
function beginsSku(q: string): RawBuilder<unknown> {
  const last = q.padEnd(SKU_CHARS, 'Z')
  return sql`(sku = ${q} or (sku >= ${q} and sku <= ${last} and starts_with(sku, ${q})))`
}

const SKU_CHARS = 10

type ListedGem = ReturnType<typeof renderRow>

function renderRow({ life_state, lab_name, overrides, ...row }: ListedRow) {
  return {
    ...row,
    lab: row.lab ?? lab_name,
    weight: Number(row.weight),
    wholesale_price: Number(row.wholesale_price),
    wholesale_price_us: Number(row.wholesale_price_us),
    state: life_state,
    enabled: isEnabled({ state: row.state, overrides }),
    overrides: overrides ?? {},
    created_on: isoWithOffset(row.created_on),
    updated_on: isoWithOffset(row.updated_on),
  }
}
