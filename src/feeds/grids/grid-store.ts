import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { Sheet } from './read-sheet.ts'

/** A sheet of reference prices as the operator sees it. */
export interface PriceGrid {
  uuid: string
  shape: Sheet['shape']
  dated_on: string
  file_name: string
  rows: number
  loaded_on: string
  /** When the last stone got its price; null while they are computed. */
  applied_on: string | null
  /** Whether it is the newest sheet of its shape, whose prices stones have. */
  in_force: boolean
}

/** The newest sheet of each shape. */
export type GridsInForce = Partial<Record<Sheet['shape'], string>>

const NEWEST = sql`
  select distinct on (shape) uuid, shape, applied_on from price_grid
  order by shape, dated_on desc, loaded_on desc, uuid`

export async function findGridsInForce(db: Db | Tx): Promise<GridsInForce> {
  const { rows } = await sql<{ uuid: string; shape: Sheet['shape'] }>`${NEWEST}`.execute(db)
  return Object.fromEntries(rows.map(({ uuid, shape }) => [shape, uuid]))
}

/** All sheets, newest first. */
export async function listGrids(db: Db | Tx): Promise<PriceGrid[]> {
  const { rows } = await sql<PriceGrid>`
    select g.uuid, g.shape, g.dated_on::text as dated_on, g.file_name, g.row_count as rows,
      g.loaded_on, g.applied_on, newest.uuid is not null as in_force
    from price_grid g left join (${NEWEST}) as newest on newest.uuid = g.uuid
    order by g.dated_on desc, g.loaded_on desc, g.shape, g.uuid`.execute(db)
  return rows
}

/** Stores a sheet, and returns its uuid. */
export async function insertSheet(
  tx: Tx,
  { shape, dated_on, cells }: Sheet,
  file_name: string,
): Promise<string> {
  const uuid = newUuid()
  await tx
    .insertInto('price_grid')
    .values({ uuid, shape, dated_on, file_name, row_count: cells.length })
    .execute()
  const column = <Name extends keyof Sheet['cells'][number]>(name: Name) =>
    cells.map((cell) => cell[name])
  await sql`
    insert into price_grid_cell
      (grid_uuid, clarity, color, weight_min, weight_max, price_per_carat)
    select ${uuid}, * from unnest(${column('clarity')}::text[], ${column('color')}::text[],
      ${column('weight_min')}::numeric[], ${column('weight_max')}::numeric[],
      ${column('price_per_carat')}::numeric[])`.execute(tx)
  return uuid
}

/** Records that every stone has the prices of the sheets in force. */
export async function markGridsApplied(db: Db): Promise<void> {
  await sql`
    update price_grid g set applied_on = market_now() from (${NEWEST}) as newest
    where g.uuid = newest.uuid and g.applied_on is null`.execute(db)
}

/** Whether a sheet is in force that some stones may not have the prices of. */
export async function isGridUnfinished(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from (${NEWEST}) as newest where applied_on is null limit 1`.execute(db)
  return rows.length > 0
}

/** A sheet as the operator sees it, by HTTP and on the command line. */
export function renderGrid(grid: PriceGrid): PriceGrid {
  const { loaded_on, applied_on } = grid
  return { ...grid, loaded_on: isoWithOffset(loaded_on), applied_on: isoOrNull(applied_on) }
}
