import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { shareRun } from '../../lib/one-at-a-time.ts'
import { type App, type DetailsFor, publicAccess, showsDetails } from '../route.ts'

/** One thing that must work before the server takes requests. */
interface Check {
  name: string
  /** Undefined when all is well, otherwise what is wrong. */
  problem: () => Promise<string | undefined> | string | undefined
  /** What is shown without being decisive. */
  remark?: () => string | undefined
}

interface Report {
  status: 'ready' | 'not ready' | 'closing'
  /** `ok`, or what is wrong, by the name of the check. */
  checks: Record<string, string>
}

export interface Readiness {
  /** Whether reads are answered: the given checks. The database is shown, but does not decide. */
  report: () => Promise<Report>
  /** Whether writes are possible: the database is there, accepts them and has space. */
  reportWrites: () => Promise<Report>
  /** Reports `closing` from now on: the process is about to stop. */
  startClosing(): void
  isClosing(): boolean
  /** A write failed because no space was left. */
  noteStorageFull(): void
}

const DATABASE_WAIT_MS = 2_000
/** How long a write that found no space keeps `/readyz/write` red. */
const STORAGE_FULL_MS = 30_000

/** Knows whether this process can serve requests. */
export function createReadiness(
  db: Db,
  readChecks: readonly Check[],
  writeChecks: readonly Check[],
): Readiness {
  const database = { name: 'database', problem: () => findProblem(() => askDatabase(db)) }
  const writable = { name: 'database', problem: () => findProblem(() => askToWrite(db)) }
  const storage = { name: 'storage', problem: () => (isStorageFull() ? 'full' : undefined) }
  const showDatabase = soonOrLast(() => run([database]))
  let closing = false
  let storageFullAtMs = Number.NEGATIVE_INFINITY
  const isStorageFull = () => performance.now() - storageFullAtMs < STORAGE_FULL_MS
  const statusOf = (isReady: boolean) =>
    closing ? 'closing' : isReady ? ('ready' as const) : ('not ready' as const)
  return {
    // Nobody is limited here, so callers at the same time share one look at the database.
    report: shareRun(async () => {
      const [shown, checks] = await Promise.all([showDatabase(), run(readChecks)])
      const remarks = remarksOf(readChecks, checks)
      return { status: statusOf(isAllOk(checks)), checks: { ...shown, ...checks, ...remarks } }
    }),
    reportWrites: shareRun(async () => {
      const checks = await run([writable, storage, ...writeChecks.map(withinTime)])
      return { status: statusOf(isAllOk(checks)), checks }
    }),
    startClosing() {
      closing = true
    },
    isClosing: () => closing,
    noteStorageFull() {
      storageFullAtMs = performance.now()
    },
  }
}

async function run(checks: readonly Check[]): Promise<Record<string, string>> {
  const results = checks.map(async ({ name, problem }) => [name, (await problem()) ?? 'ok'])
  return Object.fromEntries(await Promise.all(results))
}

/** A balancer that asks whether reads are answered waits a second, so the database gets less. */
const SHOWN_WAIT_MS = 100

/** The result of the work when it comes at once, otherwise its last one, if there is one. */
function soonOrLast<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let last: Value | undefined
  const start = shareRun(async () => {
    last = await work()
    return last
  })
  return async () => {
    const running = start()
    if (last === undefined) return running
    const before = last
    const late = sleep(SHOWN_WAIT_MS, before, { ref: false })
    return Promise.race([running, late])
  }
}

/** What those checks remark that have found no problem. */
function remarksOf(
  checks: readonly Check[],
  results: Record<string, string>,
): Record<string, string> {
  const remarks = checks.flatMap(({ name, remark }) => {
    const isOk = Object.hasOwn(results, name) && results[name] === 'ok'
    const text = isOk ? remark?.() : undefined
    return text === undefined ? [] : [[name, text]]
  })
  return Object.fromEntries(remarks)
}

function isAllOk(checks: Record<string, string>): boolean {
  return Object.values(checks).every((result) => result === 'ok')
}

/** A check that asks the database, which may not respond. */
function withinTime({ name, problem }: Check): Check {
  return { name, problem: () => findProblem(async () => problem()) }
}

/**
 * Returns what the question finds, or that the database does not answer it in time. It is asked
 * twice, because an idle connection that has broken is noticed only when it is used.
 */
async function findProblem(ask: () => Promise<string | undefined>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('does not respond'), DATABASE_WAIT_MS)
  })
  try {
    const answer = ask()
      .catch(ask)
      .catch(() => 'not available')
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

async function askDatabase(db: Db): Promise<undefined> {
  await sql`select 1`.execute(db)
}

/** A standby, or a server that was set to read only, refuses every write. */
async function askToWrite(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ read_only: string }>`
    select current_setting('transaction_read_only') as read_only`.execute(db)
  return rows[0].read_only === 'on' ? 'read only' : undefined
}

const config = { access: publicAccess, undocumented: true, uncounted: true } as const

interface HealthOptions {
  detailsFor: DetailsFor
  /** What the paths begin with. */
  prefix?: string
}

/**
 * `/healthz` says that the process is alive, `/readyz` whether it can answer reads, and
 * `/readyz/write` whether it can write. Strangers see the status without the checks.
 */
export function registerHealth(
  app: App,
  { readiness }: { readiness: Readiness },
  { detailsFor, prefix = '' }: HealthOptions,
): void {
  const healthy = { status: 'ok', name: 'pavilion' }
  const withProcess = { ...healthy, pid: process.pid }
  app.get(`${prefix}/healthz`, { config }, ({ isLocal }) => (isLocal ? withProcess : healthy))
  const reports = { readyz: readiness.report, 'readyz/write': readiness.reportWrites }
  for (const [path, report] of Object.entries(reports)) {
    app.get(`${prefix}/${path}`, { config }, async (request, reply) => {
      const { status, checks } = await report()
      if (status !== 'ready') reply.code(503).header('retry-after', 2)
      return showsDetails(detailsFor, request) ? { status, checks } : { status }
    })
  }
}
