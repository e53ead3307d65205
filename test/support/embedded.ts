import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { pathsIn } from '../../src/database/embedded/cluster.ts'
import {
  type Embedded,
  type EmbeddedOptions,
  ensureDatabase,
  openEmbedded,
} from '../../src/database/embedded/embedded.ts'
import { findPostmaster } from '../../src/database/embedded/postmaster.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PROCESS = fileURLToPath(new URL('./embedded-process.js', import.meta.url))

export const isRoot = process.getuid?.() === 0

/** Creates a folder; after the test it is removed and every PostgreSQL process in it killed. */
export async function temporaryFolder(mode = 0o711): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-embedded-'))
  await chmod(folder, mode)
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** A cluster has a thousand files; `cp` and `rm` handle them ten times as fast as Node does. */
export const run = promisify(execFile)

let seed: Promise<string> | undefined

/**
 * A data folder that was used before; copying it is faster than creating a cluster. A file that
 * uses it calls `removeSeed` after its tests.
 */
export async function usedFolder(): Promise<string> {
  seed ??= makeSeed()
  return copyOf(await seed)
}

export async function copyOf(folder: string): Promise<string> {
  const copy = await temporaryFolder()
  await run('cp', ['-a', `${folder}/.`, copy])
  return copy
}

async function makeSeed(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-embedded-'))
  await chmod(folder, 0o711)
  const embedded = await openWithDatabase({
    dataFolder: folder,
    serve: false,
    settings: { fsync: 'off' },
  })
  await embedded.close()
  return folder
}

export async function removeSeed(): Promise<void> {
  if (seed === undefined) return
  const folder = await seed
  seed = undefined
  await removeFolder(folder)
}

async function removeFolder(folder: string): Promise<void> {
  await killAllIn(folder)
  await run('rm', ['-rf', folder])
}

/** Kills every process of the folder's server, as a power cut would. */
export async function killAllIn(folder: string): Promise<void> {
  await until(async () => {
    const pids = await processesIn(folder)
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // The process ended together with its postmaster.
      }
    }
    return pids.length === 0
  })
}

/** The processes whose working directory is in the folder; PostgreSQL's is its cluster. */
export async function processesIn(folder: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const workingDirectory = await readlink(`/proc/${name}/cwd`).catch(() => '')
    const state = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    if (workingDirectory.startsWith(`${folder}/`) && !/\) Z /.test(state)) found.push(Number(name))
  }
  return found
}

interface Line {
  opened?: string
  closed?: boolean
  failed?: string
  event?: string
  detail?: string
}

export interface PavilionProcess {
  pid: number
  /** The first line: the address of the server, or why there is none. */
  firstLine: Promise<Line>
  lines: Line[]
  /** Asks the process to close; resolves to its exit code. */
  close(): Promise<number | null>
  /** Kills the process with SIGKILL and waits until it is gone. */
  kill(): Promise<void>
}

interface StartOptions {
  uid?: number
  accountName?: string
  wrapper?: string[]
}

/** Starts another Pavilion process on the folder: a server or a command. */
export function startProcess(
  dataFolder: string,
  role: 'serve' | 'command',
  { uid, wrapper = [], accountName }: StartOptions = {},
): PavilionProcess {
  const program = [process.execPath, PROCESS, dataFolder, role]
  const words = [...wrapper, ...program, ...(accountName === undefined ? [] : [accountName])]
  const child = spawn(words[0]!, words.slice(1), {
    cwd: ROOT,
    uid,
    gid: uid,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  // A process that could not open the folder may have ended before it is asked to close.
  child.stdin!.on('error', () => {})
  const lines: Line[] = []
  const exited = exitOf(child)
  const firstLine = new Promise<Line>((resolve) => {
    createInterface(child.stdout!).on('line', (text) => {
      const line = JSON.parse(text) as Line
      lines.push(line)
      if (line.opened || line.failed) resolve(line)
    })
    void exited.then((code) => resolve({ failed: `exited with ${code}` }))
  })
  return {
    pid: child.pid!,
    firstLine,
    lines,
    close: () => {
      child.stdin!.end('close\n')
      return exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

/** The address of the server; fails the test with the reason if it could not be opened. */
export async function addressOf({ firstLine }: PavilionProcess): Promise<string> {
  const { opened, failed } = await firstLine
  if (opened === undefined) throw new Error(failed)
  return opened
}

export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

export async function postmasterOf(dataFolder: string): Promise<number | undefined> {
  return (await findPostmaster(pathsIn(dataFolder)))?.pid
}

/** Opens an embedded server and creates Pavilion's database. */
export async function openWithDatabase(options: EmbeddedOptions) {
  const embedded = await openEmbedded(options)
  await ensureDatabase(embedded, 'pavilion')
  return { ...embedded, url: embedded.urlOf('pavilion') }
}

/** Kills the postmaster with SIGKILL and waits until another one accepts connections. */
export async function killAndAwait(dataFolder: string, embedded: Embedded): Promise<void> {
  const killed = await postmasterOf(dataFolder)
  process.kill(killed!, 'SIGKILL')
  await until(async () => {
    const now = await postmasterOf(dataFolder)
    return now !== undefined && now !== killed && embedded.isUp()
  })
}

/** Waits until the condition is true; the time limit of the test ends the wait. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(20)
}
