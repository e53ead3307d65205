import type { FastifyReply } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../src/database/open.ts'
import { createRateLimiter, type RateLimiter } from '../../src/http/request/rate-limit.ts'
import type { Caller } from '../../src/http/route.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { useDatabase } from '../support/stones.ts'

const database = useDatabase()

/** All calls of a test are in the same minute, and each test has a minute of its own. */
let minute = 30_000_000
const LIMIT = 300

/** A loaded machine may take its time to answer; the test of silence says how long it waits. */
function openNodes(count: number, db = database.current.db, answerMs = 60_000): RateLimiter[] {
  minute += 10
  const clock = { now: () => minute * 60_000 + 1_000 }
  return Array.from({ length: count }, () =>
    createRateLimiter({ token: LIMIT, merchant: 0 }, clock as never, db, answerMs),
  )
}

/** Nodes learn of each other when they exchange their counts, which each does every second. */
async function exchange(nodes: readonly RateLimiter[]): Promise<void> {
  for (const node of nodes) await node.exchange()
}

const newCaller = () =>
  ({ token: { uuid: newUuid(), rate_limit_per_minute: null }, merchant: null }) as unknown as Caller

const reply = { header: () => reply } as unknown as FastifyReply

async function isAdmitted(node: RateLimiter, caller: Caller, cost = 1): Promise<boolean> {
  try {
    await node.count(reply, caller, cost)
    return true
  } catch {
    return false
  }
}

/** How many of so many calls at once are admitted, each by the node that `choose` returns. */
async function admitted(caller: Caller, calls: number, choose: (call: number) => RateLimiter) {
  const answers = await Promise.all(
    Array.from({ length: calls }, (_, call) => isAdmitted(choose(call), caller)),
  )
  return answers.filter(Boolean).length
}

describe('the limit of a token on several nodes', () => {
  it('is kept exactly by nodes that are called at the same time', async () => {
    const nodes = openNodes(3)
    await exchange(nodes)
    await exchange(nodes)
    const caller = newCaller()
    expect(await admitted(caller, 900, (call) => nodes[call % 3])).toBe(LIMIT)
  })

  it('is kept when a node was alone at first, and when nodes exchange their counts', async () => {
    const nodes = openNodes(3)
    const caller = newCaller()
    let count = await admitted(caller, 100, () => nodes[0])
    await exchange(nodes)
    await exchange(nodes)
    for (let round = 0; round < 20; round++) {
      const talking = exchange(nodes)
      count += await admitted(caller, 30, (call) => nodes[(call * call + round) % 3])
      await talking
    }
    expect(count).toBeLessThanOrEqual(LIMIT)
    // What one node has taken and does not use is given back for the others.
    await exchange(nodes)
    await exchange(nodes)
    count += await admitted(caller, LIMIT, () => nodes[2])
    expect(count).toBe(LIMIT)
  })

  it('is kept with calls that cost more than one', async () => {
    const nodes = openNodes(2)
    await exchange(nodes)
    await exchange(nodes)
    const caller = newCaller()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, call) => isAdmitted(nodes[call % 2], caller, 50)),
    )
    expect(answers.filter(Boolean)).toHaveLength(LIMIT / 50)
  })

  it('is the limit of a single node, which waits for nothing', async () => {
    const [node] = openNodes(1)
    await exchange([node])
    const caller = newCaller()
    expect(node.count(reply, caller, 1)).toBeUndefined()
    expect(await admitted(caller, 400, () => node)).toBe(LIMIT - 1)
  })

  it('is divided by the nodes while the database does not answer', async () => {
    let isSilent = false
    const { db } = database.current
    const executor = db.getExecutor()
    const silent = {
      getExecutor: () => (isSilent ? silentExecutor(executor) : executor),
    } as unknown as Db
    const nodes = openNodes(2, silent, 50)
    await exchange(nodes)
    await exchange(nodes)
    const caller = newCaller()
    isSilent = true
    expect(await admitted(caller, LIMIT, () => nodes[0])).toBe(LIMIT / 2)
  })
})

function silentExecutor(executor: ReturnType<Db['getExecutor']>) {
  return new Proxy(executor, {
    get: (target, name) =>
      name === 'executeQuery' ? () => new Promise(() => {}) : Reflect.get(target, name),
  })
}
