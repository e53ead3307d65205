import { sql } from 'kysely'
import { readMarketTime } from '../database/clock.ts'
import { analyzeTables, type Copy, inCopyTransaction } from '../database/copy.ts'
import type { Database, Db, Tx } from '../database/open.ts'
import type { Secrets } from '../database/secrets/secrets.ts'
import { logChangesFrom } from '../events/change-log.ts'
import { numberChanges, numberEvents } from '../events/number-changes.ts'
import { analyzeGems } from '../gems/gem-store.ts'
import { type Progress, startProgress } from '../lib/progress.ts'
import { Refusal } from '../lib/refusal.ts'
import { isWithoutMerchants } from '../merchants/merchant-store.ts'
import type { Realm } from '../merchants/token.ts'
import { SCENARIO_SUPPLIER_UUID } from '../orders/sandbox/scenarios.ts'
import { startChance } from './chance.ts'
import { createDemoFiles } from './files.ts'
import { fillDemoJewelry } from './jewelry/jewelry.ts'
import { createDemoMerchants, type DemoKeys } from './merchants.ts'
import { createDemoRecords, nameDemoSeller, setSomeByHand } from './operator.ts'
import { createDemoUsers } from './people.ts'
import { createDemoGrids } from './price-grid.ts'
import { createDemoPrograms } from './programs.ts'
import { createDemoRates } from './rates.ts'
import { createDemoSearches } from './saved-searches.ts'
import { copyGems } from './stones/copy-gems.ts'
import { drawDiamonds } from './stones/diamonds.ts'
import type { DemoContext, DemoGem } from './stones/gem.ts'
import { drawGemstones } from './stones/gemstones.ts'
import { holdSome, saveOwnHolds } from './stones/holds.ts'
import { drawMelee } from './stones/melee.ts'
import { listSomeAgain, secondListingsAmong } from './stones/second-listings.ts'
import { createDemoSuppliers, createSupplierKey } from './suppliers.ts'
import { createDemoTrade } from './trade.ts'

export interface DemoOptions {
  realm: Realm
  /** The number of single diamonds; melee parcels and gemstones are added to them. */
  stones: number
  seed: number
  /** The address in links to media, without a slash at its end. */
  publicUrl: string
  onProgress?: (progress: Progress) => void
  /** Called before an empty market is filled, which takes some seconds. */
  onStart?: () => void
  /** Without them the market has no webhooks and no feed sources. */
  secrets?: Secrets
  /** The time that the market is generated for, from which ages and holds count. Default: now. */
  asOf?: Date
}

export interface DemoMarket {
  suppliers: number
  diamonds: number
  melee: number
  gemstones: number
  held: number
  /** Variants of jewelry and watches. */
  variants: number
  orders: number
  seconds: number
  /** Undefined when the market already had merchants. */
  keys: DemoKeys | undefined
}

const GEMSTONE_COUNT = 300
/** The number at the first start: without fancy, treated and sold stones, 20,000 are found. */
export const DEMO_STONES = 20_600
export const DEMO_SEED = 1
export const DEMO_STONES_MAX = 20_000_000

/** Creates the demo market in an empty database; returns undefined when it is not empty. */
export async function createDemoMarket(
  database: Database,
  options: DemoOptions,
): Promise<DemoKeys | undefined> {
  const { db } = database
  if (!(await isWithoutMerchants(db)) || !(await isWithoutStock(db))) return undefined
  options.onStart?.()
  return (await fillDemoMarket(database, options)).keys
}

/**
 * Fills a market without stock in one transaction. When it has no merchants either, the demo
 * merchants are created as well.
 */
export async function fillDemoMarket(
  database: Database,
  options: DemoOptions,
): Promise<DemoMarket> {
  const market = await inCopyTransaction(database, (tx, copy) => fillMarket(tx, copy, options))
  await analyzeTables(database.db)
  return market
}

/** `fillDemoMarket` within a transaction; the caller analyzes the tables after its commit. */
export async function fillMarket(tx: Tx, copy: Copy, options: DemoOptions): Promise<DemoMarket> {
  const startMs = performance.now()
  await refuseFullMarket(tx)
  const seed = `pavilion demo ${options.seed}`
  const asOfMs = options.asOf?.getTime() ?? (await readMarketTime(tx))
  await createDemoRates(tx, asOfMs)
  await createDemoGrids(tx, asOfMs)
  const merchantKeys = await createMissingMerchants(tx, options.realm)
  const context: DemoContext = {
    chance: startChance(seed),
    remarks: startChance(`${seed} remarks`),
    suppliers: await createDemoSuppliers(tx, seed),
    publicUrl: addressOf(options.publicUrl),
    asOfMs,
    stock: new Map(),
    certificates: { issued: 0 },
  }
  const keys = merchantKeys && {
    ...merchantKeys,
    supplierKey: await createSupplierKey(tx, options.realm, context.suppliers),
    ...(await createDemoUsers(tx, context.suppliers)),
  }
  const holders = await listHolders(tx)
  const counts = await fillStones(tx, copy, context, { ...options, holders })
  const { publicUrl } = context
  const merchants = holders.map((uuid) => ({ uuid }))
  const { variants } = await fillDemoJewelry(tx, {
    ...options,
    publicUrl,
    merchants,
    asOf: new Date(asOfMs),
  })
  await logChangesFrom(tx, sql`select id as gem_id, sku, 'new' as kind from gem order by id`)
  await nameDemoSeller(tx)
  const orders = await createDemoTrade(tx, { ...options, publicUrl, merchants, asOfMs })
  await setSomeByHand(tx, asOfMs)
  await createDemoFiles(tx, options.secrets)
  await createDemoRecords(tx)
  await numberChanges(tx)
  await numberEvents(tx)
  if (keys) {
    await createDemoSearches(tx, merchants)
    await createDemoPrograms(tx, merchants[0].uuid, options)
  }
  const suppliers = context.suppliers.length
  const seconds = (performance.now() - startMs) / 1000
  return { suppliers, diamonds: options.stones, ...counts, variants, orders, seconds, keys }
}

/** Draws the stones and copies them into the table. Returns how many there are of some kinds. */
async function fillStones(
  tx: Tx,
  copy: Copy,
  context: DemoContext,
  { stones, onProgress, holders }: DemoOptions & { holders: string[] },
): Promise<StoneCounts> {
  const counts = { melee: 0, gemstones: 0, held: 0 }
  const progress = startProgress(stones, onProgress)
  await copyGems(copy, drawStones(context, stones, holders, counts), progress)
  // Without statistics PostgreSQL would plan the orders and the next import for an empty table,
  // which it may have seen after a fill that failed. Statistics of the columns that stones are
  // looked up by are enough, and take a fifth of the time.
  await analyzeGems(tx)
  await saveOwnHolds(tx)
  return counts
}

type StoneCounts = Pick<DemoMarket, 'melee' | 'gemstones' | 'held'>

/** Returns the address as a URL, which has no characters that COPY would have to escape. */
function addressOf(publicUrl: string): string {
  return new URL(publicUrl).href.replace(/\/$/, '')
}

function* drawStones(
  context: DemoContext,
  stones: number,
  holders: string[],
  counts: StoneCounts,
): Generator<DemoGem> {
  const again = secondListingsAmong(stones)
  const drawn = holdSome(context, drawDiamonds(context, stones - again), stones, holders)
  for (const gem of listSomeAgain(context, drawn, again)) {
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

async function isWithoutStock(db: Db | Tx): Promise<boolean> {
  const supplier = await db
    .selectFrom('supplier')
    .select('id')
    // The scenarios of a sandbox do not count.
    .where('uuid', '<>', SCENARIO_SUPPLIER_UUID)
    .limit(1)
    .executeTakeFirst()
  // A stone has a supplier.
  return supplier === undefined
}

/** Of two concurrent fills the second waits for the lock and then finds the market full. */
async function refuseFullMarket(tx: Tx): Promise<void> {
  await sql`lock table supplier in share row exclusive mode`.execute(tx)
  if (await isWithoutStock(tx)) return
  throw new Refusal(
    'market_not_empty',
    'The market already has suppliers or stones; a demo market needs an empty one.',
  )
}

async function createMissingMerchants(tx: Tx, realm: Realm) {
  if (!(await isWithoutMerchants(tx))) return undefined
  return createDemoMerchants(tx, realm)
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
