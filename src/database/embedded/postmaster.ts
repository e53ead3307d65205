import { spawn } from 'node:child_process'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, commandLine, environmentOf } from './account.ts'
import type { Paths } from './cluster.ts'
import { machineMemory, memorySettings } from './memory.ts'
import { commandOf, isAlive, orphansIn, runsIn } from './process.ts'
import { releaseAndClaimIfLast, type Session } from './session.ts'

/** The main process of a PostgreSQL, as its own postmaster.pid describes it. */
export interface Postmaster {
  pid: number
  port: number
  /** Whether it accepts connections; earlier attempts would only fill its log. */
  isReady: boolean
}

/** For a small server beside its only user. These settings override postgresql.conf. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Four processes with two markets (pools.ts).
  max_connections: '300',
  maintenance_work_mem: '128MB',
  work_mem: '16MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  checkpoint_completion_target: '0.9',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // Failed statements contain the callers' values, which do not belong in a log.
  log_min_error_statement: 'panic',
  logging_collector: 'off',
}

/** Finds the running postmaster; a file that a dead one left does not count. */
export async function findPostmaster(paths: Paths): Promise<Postmaster | undefined> {
  const file = join(paths.cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '')
  const [pid, folder, , port, , , , status] = text.split('\n')
  if (!pid || !folder || !port) return undefined
  const command = await commandOf(Number(pid))
  if (command === undefined) return undefined
  const isHere = await runsIn(Number(pid), paths.cluster)
  if (isHere === false) {
    await removeStaleFile(paths, text)
    return undefined
  }
  if (command !== 'postgres') return undefined
  return { pid: Number(pid), port: Number(port), isReady: status?.trim() === 'ready' }
}

/**
 * After a power loss, the pid in the file may belong to another program, which PostgreSQL takes for
 * its predecessor and refuses to start. Without the file, PostgreSQL would not notice the backends
 * that a killed postmaster left, so those are ended first.
 */
async function removeStaleFile(paths: Paths, text: string): Promise<void> {
  await endOrphans(paths)
  const file = join(paths.cluster, 'postmaster.pid')
  if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true })
}

interface Launch {
  account: Account
  port: number
  settings?: Record<string, string> | undefined
}

export interface Launched {
  launchedOn: number
  isRunning(): boolean
  stop(): void
}

/**
 * Starts PostgreSQL in a session of its own, so that Ctrl-C in a terminal does not stop it before
 * us. When two are started at once, PostgreSQL's own lock file makes the second one exit.
 */
export async function launch(paths: Paths, { account, port, settings }: Launch): Promise<Launched> {
  const memory = memorySettings(machineMemory())
  const all = { ...SETTINGS, ...memory, ...settings, port: String(port) }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const words = ['-D', paths.cluster, ...flags]
  const { command, args } = commandLine(account, account.binaries.postgres, words)
  const log = await open(paths.logFile, 'a', 0o600)
  const child = spawn(command, args, {
    detached: true,
    uid: account.uid,
    gid: account.gid,
    env: environmentOf(account),
    stdio: ['ignore', log.fd, log.fd],
    cwd: '/',
  })
  let running = true
  const end = () => {
    running = false
  }
  child.once('exit', end).once('error', end)
  child.unref()
  await log.close()
  return {
    launchedOn: performance.now(),
    isRunning: () => running,
    stop: () => void child.kill('SIGINT'),
  }
}

const FAST_STOP_MS = 5_000
const HARD_STOP_MS = 1_500

/** Fast shutdown: sessions end and everything is written. A server that is too slow is killed. */
async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', HARD_STOP_MS],
    ['SIGKILL', HARD_STOP_MS],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    if (await waitUntilGone(pid, waitMs)) return
  }
}

/** Releases our lock on the server, and stops it if nobody else uses it; true if it was stopped. */
export async function leaveServer(paths: Paths, session: Session): Promise<boolean> {
  if (!(await releaseAndClaimIfLast(session))) return false
  const running = await findPostmaster(paths)
  if (running !== undefined) await stopPostmaster(running.pid)
  return true
}

export async function waitUntilGone(pid: number, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs
  while (await isAlive(pid)) {
    if (performance.now() > deadline) return false
    await sleep(20)
  }
  return true
}

/**
 * A backend that was computing when its postmaster was killed does not notice until it is done, and
 * no new postmaster starts before. Its statement is lost already: it cannot be committed.
 */
export async function endLeftBackends(paths: Paths): Promise<void> {
  if ((await findPostmaster(paths)) === undefined) await endOrphans(paths)
}

async function endOrphans({ cluster }: Paths): Promise<void> {
  for (const pid of await orphansIn(cluster, 'postgres')) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
    await waitUntilGone(pid, HARD_STOP_MS)
  }
}
