import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { FeedSource } from './source.ts'

/**
 * Whether the last file says something else today, so that it is imported once more although it is
 * unchanged. The operator has changed the supplier's settings, which imports apply; or an order has
 * put stones back. Imports leave stones alone that are sold or on memo, so what a file said of them
 * meanwhile, such as another price, has not been applied. What was declined waits for a new file.
 */
export async function needsReimport(
  db: Db,
  { uuid, supplier_id }: Pick<FeedSource, 'uuid' | 'supplier_id'>,
): Promise<boolean> {
  // Of a source whose imports are no longer kept, the runs that are kept have looked before.
  const { rows } = await sql<{ needed: boolean }>`
    select supplier.updated_on > started_on or exists (
      select from order_line as line
      where supplier_id = ${supplier_id} and product_type <> 'cert' and declined_on is null
        and (cancelled_quantity > 0 or returned_quantity > 0) and line.updated_on > started_on
    ) as needed
    from supplier, (
      select coalesce(max(started_on) filter (where outcome = 'done'), min(started_on))
        as started_on
      from feed_source_run where source_uuid = ${uuid}
    ) as last_import
    where supplier.id = ${supplier_id}`.execute(db)
  return rows[0]?.needed ?? false
}
