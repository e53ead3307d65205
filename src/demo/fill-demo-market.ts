import { sql } from 'kysely'
import { inCopyTransaction } from '../database/copy-transaction.ts'
import type { Database, Tx } from '../database/open.ts'
import { logChangesFrom } from '../gems/change-log.ts'
import { Refusal } from '../lib/refusal.ts'
import { startChance } from './chance.ts'
import { copyGems } from './copy-gems.ts'
import { drawDiamonds } from './demo-diamonds.ts'
import type { DemoContext, DemoGem } from './demo-gem.ts'
import { drawGemstones } from './demo-gemstones.ts'
import { holdSome } from './demo-holds.ts'
import { drawMelee } from './demo-melee.ts'
import { createDemoRates } from './demo-rates.ts'
import { createDemoSuppliers } from './demo-suppliers.ts'
import { type Progress, startProgress } from './progress.ts'

export interface DemoOptions {
  /** Single diamonds; melee parcels and gemstones come on top. */
  stones: number
  seed: number
  /** The address in links to media, without a slash at its end. */
  publicUrl: string
  onProgress?: (progress: Progress) => void
  /** The moment that the market is drawn for: lists and leases count from it. Default: now. */
  asOf?: Date
}

export interface DemoMarket {
  suppliers: number
  diamonds: number
  melee: number
  gemstones: number
  held: number
  seconds: number
}

const GEMSTONE_COUNT = 300
export const DEMO_STONES_MAX = 20_000_000

/** Fills an empty market, all or nothing. Merchants that are there already get a few holds. */
export async function fillDemoMarket(
  database: Database,
  options: DemoOptions,
): Promise<DemoMarket> {
  const startMs = Date.now()
  const market = await inCopyTransaction(database, async (tx, copy) => {
    await refuseFullMarket(tx)
    const seed = `pavilion demo ${options.seed}`
    const asOfMs = options.asOf?.getTime() ?? startMs
    await createDemoRates(tx, asOfMs)
    const context: DemoContext = {
      chance: startChance(seed),
      suppliers: await createDemoSuppliers(tx, seed),
      publicUrl: addressOf(options.publicUrl),
      asOfMs,
      stock: new Map(),
      certificates: { issued: 0 },
    }
    const holders = await listHolders(tx)
    const counts = { melee: 0, gemstones: 0, held: 0 }
    const progress = startProgress(options.stones, options.onProgress)
    await copyGems(copy, drawMarket(context, options.stones, holders, counts), progress)
    await logChangesFrom(tx, sql`select id as gem_id, sku, 'new' as kind from gem order by id`)
    return { suppliers: context.suppliers.length, diamonds: options.stones, ...counts }
  })
  // Without statistics the next import would be planned for an empty table. The columns that
  // stones are looked up by are enough, and take a fifth of the time.
  await sql`analyze gem (id, sku, supplier_id, vendor_sku, cert_num, state)`.execute(database.db)
  return { ...market, seconds: (Date.now() - startMs) / 1000 }
}

/** The address as a URL prints it, which has no character that COPY would read as its own. */
function addressOf(publicUrl: string): string {
  return new URL(publicUrl).href.replace(/\/$/, '')
}

function* drawMarket(
  context: DemoContext,
  stones: number,
  holders: string[],
  counts: Pick<DemoMarket, 'melee' | 'gemstones' | 'held'>,
): Generator<DemoGem> {
  for (const gem of holdSome(context, drawDiamonds(context, stones), stones, holders)) {
    if (gem.hold_uuid !== null) counts.held++
    yield gem
  }
  for (const gem of drawMelee(context)) {
    counts.melee++
    yield gem
  }
  for (const gem of drawGemstones(context, GEMSTONE_COUNT)) {
    counts.gemstones++
    yield gem
  }
}

/** Two fills at once take turns at the lock, and the second finds the market full. */
async function refuseFullMarket(tx: Tx): Promise<void> {
  await sql`lock table supplier in share row exclusive mode`.execute(tx)
  const supplier = await tx.selectFrom('supplier').select('id').limit(1).executeTakeFirst()
  const gem = await tx.selectFrom('gem').select('id').limit(1).executeTakeFirst()
  if (supplier || gem) {
    throw new Refusal(
      'market_not_empty',
      'The market already has suppliers or stones; a demo market is only put into an empty one.',
    )
  }
}

const HOLDERS_MAX = 2

async function listHolders(tx: Tx): Promise<string[]> {
  const merchants = await tx
    .selectFrom('merchant')
    .select('uuid')
    .where('deleted', '=', false)
    .orderBy('created_on')
    .orderBy('uuid')
    .limit(HOLDERS_MAX)
    .execute()
  return merchants.map((merchant) => merchant.uuid)
}
