import type { Database } from '../../src/database/open.ts'
import { PARCEL_QUANTITY, type SoakMarket } from './market.ts'

export interface Check {
  name: string
  /** How many are wrong. */
  wrong: number
}

/** Units of a line that its order has taken and not given back. */
const KEPT = '(line.quantity - line.cancelled_quantity - line.returned_quantity)'

/** Nothing is sold twice, nothing disappears, and every acknowledged order exists once. */
export async function checkStock(
  { pool }: Database,
  market: SoakMarket,
  acknowledged: readonly string[],
): Promise<Check[]> {
  const count = async (query: string, values: unknown[] = []) => {
    const { rows } = await pool.query(`select count(*) from (${query}) as found`, values)
    return Number(rows[0].count)
  }
  const merchants = market.merchants.map(({ uuid }) => uuid)
  return [
    {
      name: 'stones sold more than once',
      wrong: await count(`
        select line.sku from order_line as line join gem using (sku)
        where gem.product_type <> 'melee'
        group by line.sku having sum(${KEPT}) > 1`),
    },
    {
      name: 'stones of an order that are still on sale',
      wrong: await count(
        `select line.sku from order_line as line join orders on orders.uuid = line.order_uuid
           join gem using (sku)
         where orders.merchant_uuid = any($1::uuid[]) and gem.product_type <> 'melee'
           and ${KEPT} > 0 and gem.state not in ('sold', 'memo')`,
        [merchants],
      ),
    },
    {
      name: 'stones that are sold or on memo without an order',
      wrong: await count(`
        select sku from gem where product_type <> 'melee' and state in ('sold', 'memo')
          and not exists (select from order_line as line
            where line.sku = gem.sku and ${KEPT} > 0)`),
    },
    {
      name: 'parcels whose stock and sales do not add up',
      wrong: await count(
        `select sku from gem where sku = any($1::text[]) and quantity + coalesce(
           (select sum(${KEPT}) from order_line as line where line.sku = gem.sku), 0) <> $2`,
        [market.parcels, PARCEL_QUANTITY],
      ),
    },
    {
      name: 'acknowledged orders that are missing or repeated',
      wrong:
        acknowledged.length -
        (await count('select from orders where uuid = any($1::uuid[])', [acknowledged])),
    },
  ]
}
