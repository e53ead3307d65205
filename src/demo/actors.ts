/**
 * Who does what in the demo market, for its audit: the first person of a side, or its key while it
 * has no person.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Actor, actingFor, SYSTEM } from '../database/actor.ts'
import type { Tx } from '../database/open.ts'

/** From here on the transaction writes for a merchant. */
export function asMerchant(tx: Tx, uuid: string): Promise<Tx> {
  const owner = sql`merchant_uuid = ${uuid}`
  return actFor(tx, owner, { side: 'merchant', merchant_uuid: uuid })
}

/** From here on it writes for a supplier. */
export function asSupplier(tx: Tx, id: number): Promise<Tx> {
  const owner = sql`supplier_uuid = (select uuid from supplier where id = ${id})`
  return actFor(tx, owner, { side: 'supplier', merchant_uuid: null })
}

/** From here on it writes for the operator. */
export function asOperator(tx: Tx): Promise<Tx> {
  const owner = sql`merchant_uuid is null and supplier_uuid is null`
  return actFor(tx, owner, { side: 'operator', merchant_uuid: null })
}

/** From here on it writes for nobody but the server. */
export function asSystem(tx: Tx): Tx {
  return actingFor(tx, { actor: SYSTEM })
}

async function actFor(
  tx: Tx,
  owner: RawBuilder<unknown>,
  side: Pick<Actor, 'side' | 'merchant_uuid'>,
): Promise<Tx> {
  const { rows } = await sql<Pick<Actor, 'kind' | 'uuid' | 'name'>>`
    select 'user' as kind, uuid, name from app_user where ${owner} and active
      and role in ('owner', 'admin')
    union all
    select 'token', uuid, name from token where ${owner} and not is_session
    order by kind desc, uuid limit 1`.execute(tx)
  const found = rows.at(0)
  return actingFor(tx, { actor: found ? { ...SYSTEM, ...found, ...side } : SYSTEM })
}
