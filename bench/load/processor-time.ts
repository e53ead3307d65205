import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../../src/database/open.ts'

/** Linux counts in these. */
const TICKS_PER_SECOND = 100

/** How much processor time the server of the database has used so far; 0 where /proc is missing. */
export async function processorSeconds({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = statOf(String(rows[0].pid))?.parent
  if (postmaster === undefined) return 0
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  let ticks = 0
  for (const name of processes) {
    const found = statOf(name)
    if (found?.parent === postmaster) ticks += found.own
    // Those of connections that are closed.
    if (Number(name) === postmaster) ticks += (found?.own ?? 0) + (found?.children ?? 0)
  }
  return ticks / TICKS_PER_SECOND
}

function statOf(pid: string): { parent: number; own: number; children: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((i) => fields[i])
    return { parent, own: user + system, children: childUser + childSystem }
  } catch {
    return undefined
  }
}
