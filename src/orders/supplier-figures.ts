import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** What the operator wants to know of every supplier at a glance. */
interface SupplierFigures {
  uuid: string
  name: string
  stones: number
  fresh: boolean
  open_lines: number
  unconfirmed_lines: number
  sources: number
  failing_sources: number
  paused_sources: number
}

/** The figures of all suppliers, by name. Each table is read once. */
export async function listSupplierFigures(db: Db): Promise<SupplierFigures[]> {
  const { rows } = await sql<SupplierFigures>`
    with stock as (
      select supplier_id, count(*)::int as stones from gem where state = 'available' group by 1
    ), line as (
      select supplier_id, count(*)::int as open_lines,
        count(*) filter (where confirmed_by is null)::int as unconfirmed_lines
      from order_line where open_quantity > 0 and product_type <> 'cert' group by 1
    ), source as (
      select supplier_id, count(*)::int as sources,
        count(*) filter (where paused_on is null and failures > 0)::int as failing_sources,
        count(*) filter (where paused_on is not null)::int as paused_sources
      from feed_source group by 1
    )
    select uuid, name, coalesce(stones, 0) as stones,
      (fresh_days is null or synced_on > market_now() - fresh_days * interval '1 day'
      ) is not false as fresh,
      coalesce(open_lines, 0) as open_lines, coalesce(unconfirmed_lines, 0) as unconfirmed_lines,
      coalesce(sources, 0) as sources, coalesce(failing_sources, 0) as failing_sources,
      coalesce(paused_sources, 0) as paused_sources
    from supplier
    left join stock on stock.supplier_id = supplier.id
    left join line on line.supplier_id = supplier.id
    left join source on source.supplier_id = supplier.id
    order by lower(name), supplier.id`.execute(db)
  return rows
}
