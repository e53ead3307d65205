import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { GemState } from '../../database/tables/gems.ts'
import { listQuarantine } from '../../feeds/importing/quarantine.ts'
import { countSources } from '../../feeds/sources/run-store.ts'
import { listConflicts } from '../../gems/list-conflicts.ts'
import { leadsIn, WITH_OFFERS } from '../../gems/offer-store.ts'

/** The figures of the operator's first page, counted when they are requested. */
interface Overview {
  stock: {
    total: number
    by_supplier: { supplier: string; stones: number; synced_on: string | null; fresh: boolean }[]
    by_shape: { shape: string; stones: number }[]
    by_state: { state: string; stones: number }[]
  }
  waiting: Waiting
  orders: { today: number; open: number; unpaid: number; overdue_memos: number }
  merchants: { total: number; without_access: number }
}

/** What waits for the operator. */
interface Waiting extends WaitingOrders {
  quarantined_rows: number
  conflicts: number
  failing_sources: number
}

interface WaitingOrders {
  orders_to_confirm: number
  orders_to_ship: number
  quotes_requested: number
  returns_requested: number
  returns_to_receive: number
  overdue_memos: number
  overdue_invoices: number
}

export async function readOverview(db: Db): Promise<Overview> {
  const [suppliers, shapes, states, orders, merchants, waiting] = await Promise.all([
    bySupplier(db),
    byShape(db),
    byState(db),
    countOrders(db),
    countMerchants(db),
    countWaiting(db),
  ])
  const total = shapes.reduce((sum, { stones }) => sum + stones, 0)
  return {
    stock: { total, by_supplier: suppliers, by_shape: shapes, by_state: states },
    orders,
    merchants,
    waiting,
  }
}

async function bySupplier(db: Db): Promise<Overview['stock']['by_supplier']> {
  const { rows } = await sql<Overview['stock']['by_supplier'][number]>`
    select supplier.name as supplier, count(gem.id)::int as stones, supplier.synced_on,
      (supplier.fresh_days is null
        or supplier.synced_on > market_now() - supplier.fresh_days * interval '1 day'
      ) is not false as fresh
    from supplier
    left join gem on gem.supplier_id = supplier.id and gem.state = 'available'
    group by supplier.id order by stones desc, supplier.name limit 50
  `.execute(db)
  return rows
}

/** A stone that several suppliers list counts once, by the offer that leads. */
async function byShape(db: Db): Promise<Overview['stock']['by_shape']> {
  const { rows } = await sql<{ shape: string; stones: number }>`
    select shape, count(*)::int as stones from ${sql.raw(WITH_OFFERS)}
    where state = 'available' and ${sql.raw(leadsIn('default'))}
    group by shape order by stones desc, shape
  `.execute(db)
  return rows
}

/**
 * A stone with several listings counts once: as sold or on memo when one of them is, else as on
 * sale. A listing that is gone or disabled is counted by itself.
 */
async function byState(db: Db): Promise<Overview['stock']['by_state']> {
  const { rows } = await sql<{ state: string; stones: number }>`
    select state, sum(count)::int as stones from (
      select state, count(*) from gem
      where not exists (select from offer where offer.gem_id = gem.id) group by state
      union all
      select state, count(*) from (
        select distinct on (offer.certificate) gem.state
        from offer join gem on gem.id = offer.gem_id
        order by offer.certificate, array_position(${STATES}::text[], gem.state)
      ) as stone group by state
    ) as counted group by state order by stones desc, state
  `.execute(db)
  return rows
}

const STATES: GemState[] = ['sold', 'memo', 'available', 'disabled', 'gone']

async function countOrders(db: Db): Promise<Overview['orders']> {
  const { rows } = await sql<Overview['orders']>`
    select
      count(*) filter (where ordered_on > market_now() - interval '1 day')::int as today,
      count(*) filter (where order_status is null)::int as open,
      count(*) filter (where order_status is null and order_type = 'invoice'
        and payment_status is distinct from 'paid')::int as unpaid,
      count(*) filter (where order_status is null and memo_due_date < market_now())::int
        as overdue_memos
    from orders
  `.execute(db)
  return rows[0]
}

async function countMerchants(db: Db): Promise<Overview['merchants']> {
  const { rows } = await sql<Overview['merchants']>`
    select count(*)::int as total,
      count(*) filter (where not (api_enabled and activated))::int as without_access
    from merchant where not deleted
  `.execute(db)
  return rows[0]
}

const FIRST = { limit: 1, offset: 0 }

async function countWaiting(db: Db): Promise<Waiting> {
  const [orders, quarantine, conflicts, sources] = await Promise.all([
    countWaitingOrders(db),
    listQuarantine(db, FIRST),
    listConflicts(db, FIRST),
    countSources(db),
  ])
  return {
    ...orders,
    quarantined_rows: quarantine.total,
    conflicts: conflicts.total,
    failing_sources: sources.failing,
  }
}

/** Counts what the lists of the operator's pages show, so that each number is the length of one. */
async function countWaitingOrders(db: Db): Promise<WaitingOrders> {
  const { rows } = await sql<WaitingOrders>`
    select (select count(distinct order_uuid)::int from order_line
        where confirmed_by is null and open_quantity > 0) as orders_to_confirm,
      (select count(*)::int from orders where open_quantity > 0) as orders_to_ship,
      (select count(*)::int from quote
        where status = 'requested' and expires_on > market_now()) as quotes_requested,
      (select count(*)::int from order_return where status = 'requested') as returns_requested,
      (select count(*)::int from order_return where status = 'approved') as returns_to_receive,
      (select count(*)::int from orders where order_type = 'memo' and order_status is null
        and memo_due_date < market_now()) as overdue_memos,
      (select count(*)::int from orders where order_type = 'invoice' and payment_status is null
        and (invoiced_on at time zone 'UTC')::date + payment_terms_days
          < (market_now() at time zone 'UTC')::date
        and (select sum(amount) from ledger_entry where order_uuid = orders.uuid) > 0
      ) as overdue_invoices`.execute(db)
  return rows[0]
}
