import { pino } from 'pino'
import { expect } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { type AppDeps, buildApp } from '../../src/http/app.ts'
import { NO_OVERLOAD_LIMITS } from '../../src/http/overload/limits.ts'
import type { App } from '../../src/http/route.ts'
import type { Merchant } from '../../src/merchants/merchant.ts'
import { createMerchant, type NewMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken, type TokenRequest } from '../../src/merchants/token-store.ts'
import { type ClonedDatabase, cloneDatabase } from './database.ts'
import { checkResponses } from './document-check.ts'
import { testSecrets } from './secrets.ts'

export interface CallOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface TestResponse {
  status: number
  headers: Record<string, string | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
}

export interface TestMerchant {
  merchant: Merchant
  key: string
}

/** The application on its own database. Every response is checked against the OpenAPI documents. */
export interface TestMarket {
  app: App
  /** What the app was built from; tests use it to start a second node on the same database. */
  deps: AppDeps
  database: Database
  adminKey: string
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>
  /** Creates a merchant with an api key. */
  merchant(fields?: Partial<NewMerchant>): Promise<TestMerchant>
  token(request: Partial<TokenRequest>): Promise<{ uuid: string; token: string }>
  close(): Promise<void>
}

let merchantCount = 0

/** The limits of the pool of the requests; large unless given. */
interface PoolLimits {
  poolMax?: number
  waitingMax?: number
  waitMs?: number
  statementTimeoutMs?: number
  /** Through which address the database is reached; its own unless given. */
  reach?: (url: string) => Promise<string>
  /** Set when that address is a pooler's: the database's own is for sessions. */
  isPooled?: boolean
  /** The database; an empty market unless given. */
  clone?: ClonedDatabase
}

export async function openTestMarket(
  options: Partial<AppDeps> = {},
  { reach, isPooled, clone: given, ...limits }: PoolLimits = {},
): Promise<TestMarket> {
  const clone = given ?? (await cloneDatabase())
  const url = reach ? await reach(clone.url) : clone.url
  const directUrl = isPooled ? clone.url : undefined
  const database = openDatabase({ url, directUrl, waitMs: 60_000, ...limits })
  const { db } = database
  const errors: string[] = []
  const deps: AppDeps = {
    realm: 'live',
    database,
    publicUrl: 'http://pavilion.test',
    secrets: testSecrets(),
    rateLimitPerMinute: 0,
    // Tests share a busy machine, so the overload guard must not reject their requests.
    overload: NO_OVERLOAD_LIMITS,
    log: pino({ level: 'error' }, { write: (line) => void errors.push(line) }),
    ...options,
  }
  const app = await buildApp(deps)
  const { throwMismatch } = checkResponses(app)
  await app.ready()

  async function token(request: Partial<TokenRequest>) {
    return createToken(db, { realm: deps.realm, type: 'api_key', ...request })
  }

  return {
    app,
    deps,
    database,
    adminKey: (await token({ type: 'admin' })).token,
    token,
    async call(method, path, { token: key, body, headers } = {}) {
      const response = await app.inject({
        method: method as 'GET',
        url: path,
        ...(body !== undefined && { payload: JSON.stringify(body) }),
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      })
      const type = String(response.headers['content-type'] ?? '')
      const isJson = response.body !== '' && /^application\/(problem\+)?json/.test(type)
      const parsed = isJson ? JSON.parse(response.body) : null
      const result = {
        status: response.statusCode,
        headers: response.headers as TestResponse['headers'],
        text: response.body,
        body: parsed,
      }
      throwMismatch()
      const logged = result.status === 500 ? errors.join('') : ''
      expect(result.status, `${method} ${path} failed: ${result.text} ${logged}`).not.toBe(500)
      return result
    },
    async merchant(fields = {}) {
      merchantCount++
      const merchant = await createMerchant(db, {
        email: `merchant-${merchantCount}@shop.example`,
        legal_dba: `Shop ${merchantCount}`,
        country_code: 'US',
        ...fields,
      })
      const { token: key } = await token({ merchant_uuid: merchant.uuid })
      return { merchant, key }
    },
    async close() {
      await app.close()
      await database.close()
      await clone.drop()
      throwMismatch()
    },
  }
}
