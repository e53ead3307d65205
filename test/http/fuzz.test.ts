import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { type Chance, startChance } from '../../src/demo/chance.ts'
import { createDemoMarket } from '../../src/demo/market.ts'
import { type RunningServer, startPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { findFault } from './fuzzing/checks.ts'
import { createFuzzClient, type FuzzClient } from './fuzzing/client.ts'
import { createMemory } from './fuzzing/memory.ts'
import { type FuzzOperation, readOperations } from './fuzzing/operations.ts'
import { findRawFault, rawRequest } from './fuzzing/raw.ts'
import { curlOf, type FuzzRequest, requestFor } from './fuzzing/requests.ts'
import { createFuzzTokens, type FuzzTokens } from './fuzzing/tokens.ts'

/**
 * Sends random requests, right and wrong, to every operation of a running server. They follow from
 * FUZZ_SEED, except for the ids that earlier responses contained. `.ci/run` sends 20,000.
 */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 5_000)
const SEED = process.env.FUZZ_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
/** Requests at a time; with more, the server would refuse some because of overload. */
const WORKERS = 12
const RAW_SHARE = 0.03
const ORDER_SHARE = 0.02
const STONES = 500

let clone: ClonedDatabase
let database: Database
let server: RunningServer
let folder: string
let client: FuzzClient
let tokens: FuzzTokens
let operations: FuzzOperation[]

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.url, poolMax: 4 })
  const publicUrl = 'http://gems.example'
  await createDemoMarket(database, { realm: 'live', stones: STONES, seed: 1, publicUrl })
  tokens = await createFuzzTokens(database.db)
  folder = mkdtempSync(join(tmpdir(), 'pavilion-fuzz-'))
  server = await startPavilion({
    DATABASE_URL: clone.url,
    PAVILION_DATA: folder,
    PAVILION_DEMO: 'off',
    RATE_LIMIT_PER_MINUTE: '0',
    PUBLIC_URL: publicUrl,
  })
  operations = await readOperations(server.address)
  client = createFuzzClient(server.address, WORKERS)
}, 180_000)

afterAll(async () => {
  client.close()
  await server.stop()
  await database.close()
  await clone.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** Pages and files that no document describes. */
const PAGES = [
  ['/', '/console', '/docs', '/docs/reference.js', '/llms.txt', '/favicon.svg', '/metrics'],
  ['/healthz', '/readyz', '/readyz/write', '/openapi/v3.json', '/shapes/round.svg', '/shapes/x'],
  [
    '/assets/x',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/media/x',
    '/sign-in',
    '/%',
    '/api',
    '/a%2fb',
  ],
].flat()

/** Responses of megabytes and threads that read files would take most of the time. */
const EXPENSIVE = /inventory\/snapshot|operator\/(jewelry\/)?imports$/
const EXPENSIVE_SHARE = 0.2

function drawOperation(chance: Chance): FuzzOperation {
  const drawn = chance.oneOf(operations)
  const isSkipped = EXPENSIVE.test(drawn.path) && !chance.hits(EXPENSIVE_SHARE)
  return isSkipped ? chance.oneOf(operations) : drawn
}

/** A right order of one stone, so that the operator's random requests have orders to change. */
function orderOf(sku: string): FuzzRequest {
  const path = '/api/v2/orders/place'
  const body = { order_type: 'invoice', line_items: [{ sku, quantity: 1 }] }
  return {
    operation: operations.find((operation) => operation.path === path),
    method: 'POST',
    target: path,
    headers: [
      ['authorization', `Bearer ${tokens.merchant}`],
      ['content-type', 'application/json'],
    ],
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** Every fault, with the first request that showed it. */
const faults = new Map<string, string>()
const counts = new Map<number, number>()

async function fuzz(total: number): Promise<void> {
  let sent = 0
  const memory = createMemory(tokens.protectedIds)
  const secrets = [...tokens.all, resolve('.'), folder]
  const worker = async (number: number) => {
    const chance = startChance(`${SEED} ${number}`)
    while (sent < total) {
      sent++
      if (chance.hits(RAW_SHARE)) {
        await sendRaw(rawRequest(chance))
        continue
      }
      const operation = chance.hits(0.98) ? drawOperation(chance) : undefined
      const context = {
        chance,
        resolve: operation?.resolve ?? ((schema) => schema),
        known: (name: string) => memory.recall(name, chance),
      }
      const sku = chance.hits(ORDER_SHARE) ? memory.recall('sku', chance) : undefined
      if (typeof sku === 'string') {
        await sendOne(orderOf(sku))
        continue
      }
      const request: FuzzRequest = operation
        ? requestFor(operation, tokens, context)
        : { operation, method: 'GET', target: chance.oneOf(PAGES), headers: [], body: undefined }
      await sendOne(request)
    }
  }

  async function sendOne(request: FuzzRequest): Promise<void> {
    const name = `${request.method} ${request.operation?.path ?? request.target}`
    try {
      const response = await client.call(request)
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
      const fault = findFault(request, response, { secrets })
      if (fault) note(`${name}: ${fault}`, `${curlOf(request, server.address)}\n${response.text}`)
      else if (response.status < 300 && request.operation?.method === request.method) {
        memory.learn(request.operation.path, response)
      }
    } catch (error) {
      note(`${name}: ${(error as Error).message}`, curlOf(request, server.address))
    }
  }

  async function sendRaw(request: ReturnType<typeof rawRequest>): Promise<void> {
    const text = await client.exchange(request.pieces, request.responses === undefined)
    const fault = findRawFault(request, text)
    const bytes = JSON.stringify(request.pieces.join('').slice(0, 500))
    if (fault) note(`${request.name}: ${fault}`, `${bytes}\n${text.slice(0, 1_000)}`)
  }

  await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)))
}

function note(fault: string, evidence: string): void {
  const known = fault.replaceAll(/[0-9a-f-]{36}/g, '…').slice(0, 300)
  if (!faults.has(known))
    faults.set(known, evidence.replaceAll(/[^\n\x20-\x7e]/g, '?').slice(0, 3_000))
}

/** The errors that the server has logged. */
function errorsIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.startsWith('{"level":50'))
  return lines.join('\n').slice(0, 10_000)
}

/**
 * For every stone: what is in stock, what orders have, and what was declined, which does not come
 * back. No request may change the sum.
 */
async function countStock(): Promise<Map<string, number>> {
  const { rows } = await sql<{ sku: string; units: number }>`
    select gem.sku, (gem.quantity + coalesce(sum(line.taken_quantity - line.cancelled_quantity
      - line.returned_quantity + coalesce(declined.quantity, 0)), 0))::int as units
    from gem left join order_line as line on line.sku = gem.sku
    left join cancellation as declined
      on declined.line_uuid = line.uuid and declined.created_on = line.declined_on
    group by gem.id, gem.sku, gem.quantity`.execute(database.db)
  return new Map(rows.map(({ sku, units }) => [sku, units]))
}

async function countOrders(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from orders`.execute(database.db)
  return rows[0].count
}

describe('a running server', () => {
  it(`survives ${REQUESTS} random requests, and every response is as documented`, async () => {
    console.info(`the requests follow from FUZZ_SEED=${SEED}`)
    const before = await countStock()
    const orders = await countOrders()
    const { pid } = server.child
    await fuzz(REQUESTS)
    console.info(
      `responses by status: ${[...counts]
        .sort(([a], [b]) => a - b)
        .join('  ')
        .replaceAll(',', ': ')}`,
    )
    for (const [fault, evidence] of faults) console.error(`\n## ${fault}\n${evidence}`)
    if (faults.size > 0) console.error(errorsIn(server.output()))
    expect([...faults.keys()]).toEqual([])
    expect(server.child.exitCode).toBeNull()
    expect(server.child.pid).toBe(pid)
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(REQUESTS * 0.9)
    const after = await countStock()
    const changed = [...before].filter(([sku, units]) => after.get(sku) !== units)
    expect(changed).toEqual([])
    expect(await countOrders()).toBeGreaterThan(orders)
  }, 600_000)

  it('has given back every connection to the database', async () => {
    const busy = async () => {
      const { rows } = await sql`
        select state, query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and application_name like 'pavilion%' and state <> 'idle'`.execute(database.db)
      return rows
    }
    await expect.poll(busy, { interval: 200 }).toEqual([])
    const headers = { authorization: `Bearer ${tokens.merchant}` }
    const call = () => fetch(`${server.address}/api/v3/orders/list`, { headers })
    const statuses = async () =>
      (await Promise.all(Array.from({ length: 40 }, call))).map(({ status }) => status)
    // On a busy machine the server may refuse some of them at first.
    await expect.poll(statuses).toEqual(Array(40).fill(200))
  })
})
