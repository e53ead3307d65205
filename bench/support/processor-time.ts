import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

/** Processor time in milliseconds: of this process, and of the PostgreSQL that it talks to. */
interface ProcessorTime {
  node: number
  postgres: number
}

/** Measures the work. The server must run on this machine, on Linux. */
export async function measureProcessorTime<T>(
  postmaster: number,
  work: () => Promise<T>,
): Promise<{ result: T; time: ProcessorTime }> {
  const before = await postgresTime(postmaster)
  const began = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(began)
  const postgres = (await postgresTime(postmaster)) - before
  return { result, time: { node: (user + system) / 1000, postgres } }
}

/** The main process of the server: the parent of each that serves a connection. */
export async function findPostmasterOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  return (await readStat(rows[0].pid)).parent
}

const TICK_MS = 10

/** That of the main process, of all its children, and of those that have ended. */
async function postgresTime(postmaster: number): Promise<number> {
  const { endedTicks } = await readStat(postmaster)
  let ms = (await runTime(postmaster)) + endedTicks * TICK_MS
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const isChild = await readStat(Number(name)).then(
      ({ parent }) => parent === postmaster,
      () => false,
    )
    if (isChild) ms += await runTime(Number(name)).catch(() => 0)
  }
  return ms
}

/** In nanoseconds, where /proc/…/stat counts ticks. */
async function runTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8')
  return Number(text.split(' ')[0]) / 1e6
}

async function readStat(pid: number): Promise<{ parent: number; endedTicks: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program is in parentheses, and may contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), endedTicks: Number(fields[13]) + Number(fields[14]) }
}
