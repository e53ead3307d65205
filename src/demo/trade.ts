import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { Realm } from '../merchants/token.ts'
import { happenInThePast } from './calendar.ts'
import { demoOrders } from './orders.ts'
import { demoQuotes } from './quotes.ts'

interface DemoTradeOptions {
  realm: Realm
  publicUrl: string
  /** Orders and quotes belong to these merchants in turn. */
  merchants: readonly { uuid: string }[]
  /** The time that the market is generated for, in milliseconds since 1970. */
  asOfMs: number
}

/** The orders and quotes of the last weeks; returns how many orders there are. */
export async function createDemoTrade(tx: Tx, options: DemoTradeOptions): Promise<number> {
  if (options.merchants.length === 0) return 0
  await happenInThePast(tx, [...demoOrders(tx, options), ...demoQuotes(tx, options)])
  // The same seed must give the same `updated_on`, so it is set to the time of the market.
  await sql`
    update gem set updated_on = ${new Date(options.asOfMs).toISOString()}::timestamptz
    where sku in (select sku from order_line union select sku from quote_line)`.execute(tx)
  const { rows } = await sql<{ orders: number }>`select count(*) as orders from orders`.execute(tx)
  return rows[0].orders
}
