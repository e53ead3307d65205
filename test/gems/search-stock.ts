import { type Insertable, sql } from 'kysely'
import type { Db } from '../../src/database/open.ts'
import type { GemTable } from '../../src/database/tables/gems.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { createSupplier } from '../../src/gems/supplier-store.ts'
import { LABS } from '../../src/reference/attributes.ts'
import type { Stone } from './search-oracle.ts'

/** Puts the oracle's stones into the gem table, logged as new; their ids become the table's. */
export async function stockStones(db: Db, stones: Stone[]): Promise<void> {
  const supplier =
    (await db.selectFrom('supplier').selectAll().executeTakeFirst()) ??
    (await createSupplier(db, 'Facet & Sons'))
  await keepApart(db)
  await db.transaction().execute(async (tx) => {
    for (const stone of stones) {
      const { id } = await tx
        .insertInto('gem')
        .values({ ...columnsOf(stone), supplier_id: supplier.id } as Insertable<GemTable>)
        .returning('id')
        .executeTakeFirstOrThrow()
      stone.id = id
    }
    await logChanges(
      tx,
      stones.map(({ id, sku }) => ({ gem_id: id, sku: String(sku), kind: 'new' })),
    )
  })
}

/** The oracle's stones share a few certificates; the operator says that they are different ones. */
async function keepApart(db: Db): Promise<void> {
  await sql`
    insert into certificate_decision (certificate, decision)
    select 'C' || number || '/' || lab, 'apart'
    from unnest(${[...LABS, 'EGLUSA', 'HRD']}::text[]) as lab, generate_series(1, 9) as number
    on conflict do nothing`.execute(db)
}

/** Updates a stone in the table to the oracle's values, and logs the change. */
export async function changeStone(db: Db, stone: Stone): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { vendor_sku: _, ...columns } = columnsOf(stone)
    await tx
      .updateTable('gem')
      .set(columns as never)
      .where('id', '=', stone.id)
      .execute()
    await logChanges(tx, [{ gem_id: stone.id, sku: String(stone.sku), kind: 'details' }])
  })
}

/** Removes a stone from the market, as a feed would. */
export async function removeStone(db: Db, stone: Stone): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`update gem set state = 'gone', mover = 'feed' where id = ${stone.id}`.execute(tx)
    await logChanges(tx, [{ gem_id: stone.id, sku: String(stone.sku), kind: 'gone' }])
  })
}

function columnsOf(stone: Stone) {
  const { id: _, has_media: _media, on_hold: __, hold_expires_on: ___, ...rest } = stone
  const { visibility: _visibility, has_image, has_video, has_v360, ...others } = rest
  const { has_certificate_file, ...columns } = others
  const moment = (micros: unknown) =>
    sql`timestamptz 'epoch' + ${micros} * interval '1 microsecond'`
  return {
    ...columns,
    vendor_sku: stone.sku,
    product_type: 'diamond',
    cost: stone.wholesale_price,
    // A picture from above or from below: each is one.
    image_top_url: linkIf(has_image && stone.memo, 'top.jpg'),
    image_bottom_url: linkIf(has_image && !stone.memo, 'bottom.jpg'),
    video_url: linkIf(has_video, 'film.mp4'),
    ux_url: linkIf(has_v360, 'view.html'),
    cert_url: linkIf(has_certificate_file, 'report.pdf'),
    created_on: moment(stone.created_on),
    updated_on: moment(stone.updated_on),
  }
}

function linkIf(isThere: unknown, file: string): string | null {
  return isThere ? `https://media.example/${file}` : null
}
