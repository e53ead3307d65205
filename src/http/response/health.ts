import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { type App, publicAccess } from '../route.ts'

/** One thing that must be well before calls are taken. */
export interface Check {
  name: string
  /** Undefined when well, otherwise what is wrong. */
  problem: () => Promise<string | undefined> | string | undefined
}

export interface Readiness {
  add(check: Check): void
  /** Red from now on: the process is about to stop. */
  startClosing(): void
}

const config = { access: publicAccess, undocumented: true } as const
const DATABASE_WAIT_MS = 2_000

/** `/healthz` says that the process lives, `/readyz` whether it can answer. */
export function registerHealth(app: App, db: Db): Readiness {
  const checks: Check[] = [{ name: 'database', problem: () => databaseProblem(db) }]
  let closing = false
  app.get('/healthz', { config }, () => ({ status: 'ok', name: 'pavilion', pid: process.pid }))
  app.get('/readyz', { config }, async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, problem }) => [name, (await problem()) ?? 'ok'] as const),
    )
    const ready = !closing && results.every(([, result]) => result === 'ok')
    if (!ready) reply.code(503).header('retry-after', 2)
    const status = closing ? 'closing' : ready ? 'ready' : 'not ready'
    return { status, checks: Object.fromEntries(results) }
  })
  return {
    add: (check) => checks.push(check),
    startClosing() {
      closing = true
    },
  }
}

async function databaseProblem(db: Db): Promise<string | undefined> {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('does not answer'), DATABASE_WAIT_MS).unref()
  })
  const asked = sql`select 1`.execute(db).then(
    () => undefined,
    () => 'away',
  )
  return Promise.race([asked, late])
}
