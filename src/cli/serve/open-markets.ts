import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { type Embedded, openEmbedded } from '../../database/embedded/embedded.ts'
import { migrate } from '../../database/migrate.ts'
import { type Db, openDatabase } from '../../database/open.ts'
import { sharesSessions } from '../../database/pooler.ts'
import { prepareSecrets } from '../../database/secrets/rotate-key.ts'
import type { Secrets } from '../../database/secrets/secrets.ts'
import { createDemoMarket, DEMO_SEED, DEMO_STONES } from '../../demo/market.ts'
import type { DemoKeys } from '../../demo/merchants.ts'
import { moveDemoMedia } from '../../demo/move-media.ts'
import { findToken } from '../../merchants/known-tokens.ts'
import { isWithoutMerchants } from '../../merchants/merchant-store.ts'
import { hashToken, type Realm } from '../../merchants/token.ts'
import { createScenarios } from '../../orders/sandbox/scenarios.ts'
import { createLink } from '../../people/sign-in-link.ts'
import { OPERATOR } from '../../people/user-store.ts'
import { refuseOtherMarket } from '../database/find-market.ts'
import { directUrlOf, embeddedOptions, embeddedUrlOf, externalUrlOf, realmsOf } from '../market.ts'
import { refuseTakenPorts } from './places.ts'
import { openServerSecrets } from './server-secrets.ts'
import { keepUnshownKeys, readUnshownKeys } from './unshown-keys.ts'

/** A market whose database is up to date and filled, ready to be served. */
export interface PreparedMarket {
  realm: Realm
  databaseUrl: string
  /** The same database without its pooler, when the address above is that of one. */
  directUrl: string | undefined
  publicUrl: string
  /** Of a new demo market, until they are printed once. */
  keys: DemoKeys | undefined
  links: ConsoleLinks | undefined
  /** Whether the market has no merchants yet. */
  isEmpty: boolean
}

/** Links that sign in to the console of a new demo market, once each. */
interface ConsoleLinks {
  merchant: string
  operator: string
  supplier: string
}

/** What the caller has a say in while markets are opened. */
interface Opening {
  log: Logger
  isStopping: () => boolean
  /** An empty market is going to be filled with the demo market. */
  onDemo: (realm: Realm) => void
}

interface OpenMarkets {
  markets: PreparedMarket[]
  /** Stops the embedded PostgreSQL, if it is used. */
  close(): Promise<void>
}

/**
 * Prepares what the server processes need: starts PostgreSQL unless an external one is configured,
 * migrates each market, encrypts its secrets, fills an empty one with the demo market, and lets the
 * links to the demo's pictures follow the address of the server. When it is asked to stop, the
 * market in hand is the last.
 */
export async function openMarkets(
  config: Config,
  { log, isStopping, onDemo }: Opening,
): Promise<OpenMarkets> {
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config, log) : undefined
  try {
    await refuseTakenPorts(config)
    const secrets = openServerSecrets(config, log)
    const markets: PreparedMarket[] = []
    for (const realm of realmsOf(config)) {
      if (isStopping()) break
      const databaseUrl = externalUrlOf(config, realm) ?? (await urlIn(embedded, realm))
      const directUrl = directUrlOf(config, realm)
      if (!embedded) await refuseSharedSessions({ databaseUrl, directUrl }, realm)
      const addresses = { databaseUrl, directUrl }
      markets.push(await prepareMarket(config, realm, addresses, { secrets, onDemo }))
    }
    return { markets, close: async () => embedded?.close() }
  } catch (error) {
    await embedded?.close()
    throw error
  }
}

function startEmbedded(config: Config, log: Logger): Promise<Embedded> {
  return openEmbedded({
    ...embeddedOptions(config),
    serve: true,
    onEvent: ({ kind, detail }) =>
      kind === 'archive-failing' ? log.warn({ kind }, detail) : log.info({ kind }, detail),
  })
}

async function urlIn(embedded: Embedded | undefined, realm: Realm): Promise<string> {
  if (!embedded) throw new Error('the embedded PostgreSQL is not running')
  return embeddedUrlOf(embedded, realm)
}

type Addresses = Pick<PreparedMarket, 'databaseUrl' | 'directUrl'>

/** Through a pooler in transaction mode no notification would arrive, such as of a revocation. */
async function refuseSharedSessions(
  { databaseUrl, directUrl }: Addresses,
  realm: Realm,
): Promise<void> {
  if (!(await sharesSessions(directUrl ?? databaseUrl))) return
  const name = realm === 'live' ? 'DATABASE' : 'SANDBOX_DATABASE'
  const leads = 'leads to a pooler in transaction mode'
  throw new Error(
    directUrl
      ? `${name}_DIRECT_URL ${leads}; it must be the address of PostgreSQL itself.`
      : `${name}_URL ${leads}; set ${name}_DIRECT_URL to the address of PostgreSQL itself.`,
  )
}

async function prepareMarket(
  config: Config,
  realm: Realm,
  { databaseUrl, directUrl }: Addresses,
  { secrets, onDemo }: Pick<Opening, 'onDemo'> & { secrets: Secrets },
): Promise<PreparedMarket> {
  const publicUrl = realm === 'live' ? config.publicUrl : config.sandboxPublicUrl
  // No time-out: migrations and the demo market take longer than a request may.
  const url = directUrl ?? databaseUrl
  const database = openDatabase({ url, poolMax: 4, statementTimeoutMs: 0 })
  try {
    await migrate(database.db)
    await refuseOtherMarket(database.db, realm)
    await prepareSecrets(database.db, secrets)
    const wantsDemo = config.demo && config.databaseUrl === undefined
    const demo = { realm, stones: DEMO_STONES, seed: DEMO_SEED, publicUrl, secrets }
    const onStart = () => onDemo(realm)
    const made = wantsDemo ? await createDemoMarket(database, { ...demo, onStart }) : undefined
    if (made) await keepUnshownKeys(config.dataFolder, realm, made)
    if (realm === 'test') await createScenarios(database.db)
    await moveDemoMedia(database.db, publicUrl)
    const keys = made ?? (await findUnshownKeys(database.db, config, realm))
    const links = keys && (await createConsoleLinks(database.db, publicUrl, keys))
    const isEmpty = await isWithoutMerchants(database.db)
    return { realm, databaseUrl, directUrl, publicUrl, keys, links, isEmpty }
  } finally {
    await database.close()
  }
}

/** Those of an earlier start that did not come to print them, unless they are revoked. */
async function findUnshownKeys(
  db: Db,
  { databaseUrl, dataFolder }: Config,
  realm: Realm,
): Promise<DemoKeys | undefined> {
  if (databaseUrl !== undefined) return undefined
  const { [realm]: keys } = await readUnshownKeys(dataFolder)
  const known = keys && (await findToken(db, hashToken(keys.merchantKey)))
  return known?.merchant && known.token.revoked_on === null ? keys : undefined
}

async function createConsoleLinks(
  db: Db,
  publicUrl: string,
  { merchantKey, supplierUuid }: DemoKeys,
): Promise<ConsoleLinks> {
  const known = await findToken(db, hashToken(merchantKey))
  if (!known?.merchant) throw new Error('the demo key has no merchant')
  const merchant_uuid = known.merchant.uuid
  const merchant = await createLink(db, publicUrl, { ...OPERATOR, merchant_uuid })
  const operator = await createLink(db, publicUrl, OPERATOR)
  const supplier = await createLink(db, publicUrl, { ...OPERATOR, supplier_uuid: supplierUuid })
  return { merchant: merchant.url, operator: operator.url, supplier: supplier.url }
}
