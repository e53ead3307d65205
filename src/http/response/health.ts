import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { type App, publicAccess } from '../route.ts'

/** One thing that must work before the server takes requests. */
interface Check {
  name: string
  /** Undefined when all is well, otherwise what is wrong. */
  problem: () => Promise<string | undefined> | string | undefined
}

export interface Readiness {
  /** Runs all checks: `ok`, or what is wrong, by the name of the check. */
  report(): Promise<{
    status: 'ready' | 'not ready' | 'closing'
    checks: Record<string, string>
  }>
  /** Reports `closing` from now on: the process is about to stop. */
  startClosing(): void
  isClosing(): boolean
}

const DATABASE_WAIT_MS = 2_000

/** Knows whether this process can serve requests: the database and the given checks. */
export function createReadiness(db: Db, checks: readonly Check[]): Readiness {
  const all = [{ name: 'database', problem: () => databaseProblem(db) }, ...checks]
  let closing = false
  return {
    async report() {
      const results = await Promise.all(
        all.map(async ({ name, problem }) => [name, (await problem()) ?? 'ok'] as const),
      )
      const isReady = results.every(([, result]) => result === 'ok')
      const status = closing ? 'closing' : isReady ? 'ready' : 'not ready'
      return { status, checks: Object.fromEntries(results) }
    },
    startClosing() {
      closing = true
    },
    isClosing: () => closing,
  }
}

async function databaseProblem(db: Db): Promise<string | undefined> {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('does not respond'), DATABASE_WAIT_MS).unref()
  })
  const query = sql`select 1`.execute(db).then(
    () => undefined,
    () => 'not available',
  )
  return Promise.race([query, late])
}

const config = { access: publicAccess, undocumented: true } as const

/** `/healthz` says that the process is alive, `/readyz` whether it can serve requests. */
export function registerHealth(app: App, { readiness }: { readiness: Readiness }): void {
  app.get('/healthz', { config }, () => ({ status: 'ok', name: 'pavilion', pid: process.pid }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const report = await readiness.report()
    if (report.status !== 'ready') reply.code(503).header('retry-after', 2)
    return report
  })
}
