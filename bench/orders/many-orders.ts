import { sql } from 'kysely'
import type { Db } from '../../src/database/open.ts'
import { addSingles, type BenchMarket, place } from './market.ts'

/** Places one real order and copies it many times, changing what distinguishes orders. */
export async function fillWithOrders(
  market: BenchMarket,
  orders: number,
  merchants: number,
): Promise<void> {
  const { db } = market.database
  const [sku] = await addSingles(db, 1)
  const placed = await place(market, [{ sku, quantity: 1 }])
  const { uuid } = placed.json<{ uuid: string }>()
  await sql`
    insert into merchant (uuid, legal_dba, email, country_code)
    select gen_random_uuid(), 'Shop ' || n, 'shop-' || n || '@shop.example', 'US'
    from generate_series(2, ${merchants}) as n`.execute(db)
  const rows = `
    insert into orders select new.* from orders o
    cross join generate_series(1, ${orders}) as n
    join (select uuid, legal_dba, row_number() over (order by created_on, uuid) - 1 as position
      from merchant) as m on m.position = n % ${merchants}
    cross join lateral jsonb_populate_record(o, jsonb_build_object(
      'uuid', gen_random_uuid(), 'merchant_uuid', m.uuid, 'merchant_legal_dba', m.legal_dba,
      'order_id', 'PO-' || n, 'total', 100 + (n * 7919) % 5000,
      'order_type', case when n % 5 = 0 then 'memo' else 'invoice' end,
      'memo_id', case when n % 5 = 0 then 'M-9' || n end,
      'memo_due_date', case when n % 5 = 0 then now() + make_interval(days => n % 90 - 60) end,
      -- Otherwise the server would remind of them meanwhile.
      'memo_reminder', case when n % 5 = 0 then 'overdue' end,
      'payment_status', case when n % 3 = 0 and n % 5 > 0 then 'paid' end,
      'invoiced_on',
      case when n % 2 = 0 and n % 5 > 0 then now() - make_interval(days => n % 150) end,
      'ordered_on', now() - make_interval(secs => n),
      'updated_on', now() - make_interval(secs => n),
      'words', array_to_tsvector(array['po-' || n, 'po', n::text, 'shop', m.legal_dba,
        's' || n, (1 + (n % 300) / 100.0)::numeric(5, 2)::text, 'bs-' || n, 'bs'])::text
    )) as new
    where o.uuid = '${uuid}'`
  await sql.raw(rows).execute(db)
  await sql`
    insert into order_line select new.* from order_line l, orders o
    cross join lateral jsonb_populate_record(l, jsonb_build_object(
      'uuid', gen_random_uuid(), 'order_uuid', o.uuid)) as new
    where l.order_uuid = ${uuid} and o.uuid <> ${uuid}`.execute(db)
  await fillLedger(db, uuid)
  await sql`vacuum analyze orders`.execute(db)
  await sql`vacuum analyze order_line`.execute(db)
}

/** An entry for every invoice, and a payment for those that are paid or paid in part. */
async function fillLedger(db: Db, original: string): Promise<void> {
  await sql`
    insert into ledger_entry (order_uuid, number, uuid, merchant_uuid, kind, amount, dated_on,
      made_by, created_on)
    select uuid, number, gen_random_uuid(), merchant_uuid, kind, amount, ordered_on::date, 'bench',
      ordered_on
    from orders cross join lateral (values (0, 'order', total),
      (1, 'payment', case when payment_status = 'paid' then -total else -50 end))
      as entry (number, kind, amount)
    where order_type = 'invoice' and uuid <> ${original}`.execute(db)
  await sql`vacuum analyze ledger_entry`.execute(db)
}
