import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { GemState } from '../../database/tables/gems.ts'
import { leadsIn, WITH_OFFERS } from '../../gems/offer-store.ts'

/** The figures of the operator's first page, counted when they are requested. */
interface Overview {
  stock: {
    total: number
    by_supplier: { supplier: string; stones: number; synced_on: string | null; fresh: boolean }[]
    by_shape: { shape: string; stones: number }[]
    by_state: { state: string; stones: number }[]
  }
  orders: { today: number; open: number; unpaid: number; overdue_memos: number }
  merchants: { total: number; without_access: number }
}

export async function readOverview(db: Db): Promise<Overview> {
  const [suppliers, shapes, states, orders, merchants] = await Promise.all([
    bySupplier(db),
    byShape(db),
    byState(db),
    countOrders(db),
    countMerchants(db),
  ])
  const total = shapes.reduce((sum, { stones }) => sum + stones, 0)
  return {
    stock: { total, by_supplier: suppliers, by_shape: shapes, by_state: states },
    orders,
    merchants,
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
