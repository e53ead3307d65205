import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction, lockName, withinTransaction } from '../../database/transaction.ts'
import { logChanges } from '../../events/change-log.ts'
import { newUuid } from '../../lib/uuid.ts'
import { createMerchant, isWithoutMerchants } from '../../merchants/merchant-store.ts'
import { SCENARIO_SKUS, type ScenarioSku } from '../placing/plan-order.ts'

/** The supplier of the scenarios, which does not count as stock when a market is filled. */
export const SCENARIO_SUPPLIER_UUID = '0198a6c2-0000-7000-8000-5ce4a2105000'

const HOLDER_EMAIL = 'another-buyer@sandbox.example'
/** Later than the clock of a sandbox can be moved. */
const HELD_UNTIL = '2999-12-31T00:00:00Z'

/** What a stone of a scenario costs at first, in US dollars: like a good stone of one carat. */
const WHOLESALE = '5000.00'
const COST = '4600.00'

/**
 * Adds the stones of the scenarios to a sandbox that has merchants, unless they are there. Any node
 * may do it at any time.
 */
export async function createScenarios(db: Db | Tx): Promise<void> {
  if (await hasScenarios(db)) return
  await withinTransaction(db, async (tx) => {
    await lockName(tx, 'scenarios')
    if ((await hasScenarios(tx)) || (await isWithoutMerchants(tx))) return
    const supplierId = await createSupplier(tx)
    const holderUuid = await ensureHolder(tx)
    const stones = await tx
      .insertInto('gem')
      .values(SCENARIO_SKUS.map((sku, index) => stoneOf(sku, index, supplierId, holderUuid)))
      .returning(['id', 'sku'])
      .execute()
    await logChanges(
      tx,
      stones.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'new' as const })),
    )
  })
}

async function hasScenarios(db: Db | Tx): Promise<boolean> {
  const found = await db
    .selectFrom('gem')
    .select('id')
    .where('sku', '=', SCENARIO_SKUS[0])
    .executeTakeFirst()
  return found !== undefined
}

/** A reset keeps merchants, so the one that holds TEST-HELD may be there already. */
async function ensureHolder(tx: Tx): Promise<string> {
  const known = await tx
    .selectFrom('merchant')
    .select('uuid')
    .where('email', '=', HOLDER_EMAIL)
    .where('deleted', '=', false)
    .executeTakeFirst()
  if (known) return known.uuid
  const { uuid } = await createMerchant(tx, {
    email: HOLDER_EMAIL,
    legal_dba: 'Another buyer of the sandbox',
    country_code: 'US',
    api_enabled: false,
  })
  return uuid
}

async function createSupplier(tx: Tx): Promise<number> {
  const { id } = await tx
    .insertInto('supplier')
    .values({
      uuid: SCENARIO_SUPPLIER_UUID,
      name: 'Sandbox Scenarios',
      country_code: 'USA',
      memo: true,
      // No file keeps these stones fresh.
      fresh_days: null,
      synced_on: sql<string>`market_now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function stoneOf(sku: ScenarioSku, index: number, supplier_id: number, holderUuid: string) {
  return {
    sku,
    supplier_id,
    vendor_sku: sku,
    product_type: 'diamond' as const,
    type: 'mined' as const,
    shape: 'round',
    cut_code: 'brilliant_cut',
    weight: '1.01',
    color: 'F',
    clarity: 'VS1',
    cut_grade: 'EX',
    polish_grade: 'EX',
    symmetry_grade: 'EX',
    lab: 'GIA',
    cert_num: `000000000${index + 1}`,
    country_code: 'USA',
    cost: COST,
    wholesale_price: WHOLESALE,
    wholesale_price_us: WHOLESALE,
    memo: true,
    memo_days_to_return: 14,
    days_to_return: 14,
    delivery_days_min: 1,
    delivery_days_max: 3,
    ...(sku === 'TEST-SOLD' && { state: 'sold' as const, quantity: 0 }),
    ...(sku === 'TEST-HELD' && {
      hold_uuid: newUuid(),
      hold_merchant_uuid: holderUuid,
      hold_created_on: sql<string>`market_now()`,
      hold_expires_on: HELD_UNTIL,
    }),
  }
}

/** Beyond this the price starts again: somebody has asked for it more than a hundred times. */
const PRICE_MAX = 1_000_000

/** Makes TEST-PRICE-UP 5 % dearer, for the next time that somebody is told its price. */
export async function raisePrice(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: number; sku: string }>`
      update gem set updated_on = market_now(),
        cost = case when is_high then ${COST}::numeric else round(cost * 1.05, 2) end,
        wholesale_price = case when is_high then ${WHOLESALE}::numeric
          else round(wholesale_price * 1.05, 2) end,
        wholesale_price_us = case when is_high then ${WHOLESALE}::numeric
          else round(wholesale_price_us * 1.05, 2) end
      from (select id as high_id, wholesale_price > ${PRICE_MAX} as is_high from gem
        where sku = 'TEST-PRICE-UP' for update) as locked
      where gem.id = high_id
      returning gem.id, gem.sku`.execute(tx)
    await logChanges(
      tx,
      rows.map(({ id, sku }) => ({ gem_id: id, sku, kind: 'price' as const })),
    )
  })
}
