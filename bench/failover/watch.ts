import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Lab } from '../../test/cluster/lab.ts'
import type { Load } from '../../test/cluster/load.ts'
import { execute, withDatabase } from '../../test/support/postgres.ts'

/** Who led from when on, by `performance.now()`. */
interface Election {
  leader: number
  atMs: number
}

interface Watch {
  elections: Election[]
  /** When a bare client had written a row through haproxy, as the nodes do. */
  writtenAtMs: number[]
  /** When this process ran. */
  ranAtMs: number[]
  stop(): Promise<void>
}

const LOOK_MS = 50
const WRITE_MS_MAX = 2_000

/** Notes every change of the leader, and when a row can be written, until it is stopped. */
export async function watchServers(lab: Lab): Promise<Watch> {
  const url = withDatabase(lab.url, 'postgres')
  await execute(url, 'create table probe (n bigint)')
  const elections: Election[] = []
  const writtenAtMs: number[] = []
  const ranAtMs: number[] = []
  let isStopped = false
  const look = async () => {
    const leader = await lab.leader()
    if (leader !== undefined && leader !== elections.at(-1)?.leader) {
      elections.push({ leader, atMs: performance.now() })
    }
  }
  const write = async () => {
    if (await canWrite(url)) writtenAtMs.push(performance.now())
  }
  const repeat = async (work: () => Promise<void>) => {
    while (!isStopped) {
      await work()
      await sleep(LOOK_MS)
    }
  }
  const run = async () => void ranAtMs.push(performance.now())
  const watching = Promise.all([repeat(look), repeat(write), repeat(run)])
  return {
    elections,
    writtenAtMs,
    ranAtMs,
    async stop() {
      isStopped = true
      await watching
    },
  }
}

async function canWrite(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: WRITE_MS_MAX,
    query_timeout: WRITE_MS_MAX,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('insert into probe values (1)')
    return true
  } catch {
    return false
  } finally {
    // A connection to a frozen server would not say goodbye.
    void client.end().catch(() => {})
  }
}

/** A time without an answer, and when it began. */
interface Gap {
  ms: number
  afterMs: number
}

export interface Figures {
  /** The longest time between two answered searches of one node; undefined when each was away. */
  searchGap: Gap | undefined
  /** From the last election to the first order that was accepted. */
  acceptedMs: number | undefined
  /** From the last election to the first row that a bare client wrote. */
  writtenMs: number | undefined
  /** The longest time between two accepted orders. */
  orderGap: Gap
  /** The longest time that an order waited for its answer, a refusal included. */
  answerMs: number
  /** The longest time that this process itself did not run: the machine was too busy to measure. */
  stalledMs: number
  refused: number
}

interface Period {
  fromMs: number
  toMs: number
  /** Of the nodes and of haproxy, as the load has them. */
  addresses: readonly string[]
  /** Those that were not there all the time. */
  away: readonly string[]
}

/** What clients noticed between two moments. */
export function figuresOf(
  load: Load,
  { elections, writtenAtMs, ranAtMs }: Watch,
  { fromMs, toMs, addresses, away }: Period,
): Figures {
  const gaps = load.searchedAtMs.flatMap((times, index) =>
    away.includes(addresses[index]) ? [] : [longestGap(times, fromMs, toMs)],
  )
  const accepted = load.orders.map(({ atMs }) => atMs)
  const elected = elections.findLast(({ atMs }) => atMs > fromMs && atMs < toMs)?.atMs
  const answers = load.answeredMs.filter(
    ({ address, answered }) => !away.includes(address) && answered > fromMs && answered < toMs,
  )
  return {
    searchGap: gaps.toSorted((a, b) => b.ms - a.ms).at(0),
    acceptedMs: firstAfter(elected, accepted),
    writtenMs: firstAfter(elected, writtenAtMs),
    orderGap: longestGap(accepted, fromMs, toMs),
    answerMs: Math.max(0, ...answers.map(({ sent, answered }) => answered - sent)),
    stalledMs: longestGap(ranAtMs, fromMs, toMs).ms,
    refused: 0,
  }
}

function firstAfter(fromMs: number | undefined, times: readonly number[]): number | undefined {
  if (fromMs === undefined) return undefined
  const first = times.find((atMs) => atMs > fromMs)
  return first === undefined ? undefined : first - fromMs
}

function longestGap(times: readonly number[], fromMs: number, toMs: number): Gap {
  const all = [fromMs, ...times.filter((atMs) => atMs > fromMs && atMs < toMs), toMs]
  let longest = { ms: 0, afterMs: 0 }
  for (let i = 1; i < all.length; i++) {
    const ms = all[i] - all[i - 1]
    if (ms > longest.ms) longest = { ms, afterMs: all[i - 1] - fromMs }
  }
  return longest
}
