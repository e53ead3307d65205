import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { FeedSource } from './source.ts'

/**
 * Whether an order has put back stones of the supplier since the source was last imported. Imports
 * leave stones alone that are sold or on memo, so what their file said meanwhile, such as another
 * price, counts only when it is imported once more. What was declined waits for a new file.
 */
export async function hasRestocked(
  db: Db,
  { uuid, supplier_id }: Pick<FeedSource, 'uuid' | 'supplier_id'>,
): Promise<boolean> {
  // Of a source whose imports are no longer kept, the runs that are kept have looked before.
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from order_line
      where supplier_id = ${supplier_id} and product_type <> 'cert' and declined_on is null
        and (cancelled_quantity > 0 or returned_quantity > 0)
        and updated_on > (
          select coalesce(max(started_on) filter (where outcome = 'done'), min(started_on))
          from feed_source_run where source_uuid = ${uuid})) as found`.execute(db)
  return rows[0].found
}
