import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** PostgreSQL and Patroni refuse to run as root. */
const NOBODY = 65_534
export const ACCOUNT = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** A program of the lab, which faults are done to. */
export interface LabProcess {
  start(): void
  /** All processes of it: what it started, too. */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  isRunning(): boolean
}

interface ProcessOptions {
  command: string
  args: string[]
  folder: string
  logFile: string
  env?: Record<string, string>
  /** Processes that it started and that are no longer its children. */
  others?: () => number[]
}

export function createProcess(options: ProcessOptions): LabProcess {
  const { command, args, folder, logFile, env = {}, others = () => [] } = options
  let child: ChildProcess | undefined
  const roots = () => {
    const own = child?.pid !== undefined && child.exitCode === null ? [child.pid] : []
    return [...own, ...others()]
  }
  return {
    start() {
      const log = openSync(logFile, 'a')
      child = spawn(command, args, {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', HOME: folder, ...env },
        stdio: ['ignore', log, log],
        ...ACCOUNT,
      })
      child.on('error', () => {})
      closeSync(log)
    },
    async kill() {
      const all = signalTrees(roots(), 'SIGKILL')
      await gone(all)
    },
    freeze: () => void signalTrees(roots(), 'SIGSTOP'),
    thaw: () => void signalTrees(roots(), 'SIGCONT'),
    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
  }
}

/** Sends the signal to these processes and all that they started, parents first. */
function signalTrees(roots: readonly number[], signal: NodeJS.Signals): number[] {
  // A frozen parent starts no other process, and a killed one loses its children.
  const children = signal === 'SIGKILL' ? descendants(roots) : []
  for (const pid of roots) send(pid, signal)
  const rest = new Set([...children, ...descendants(roots)])
  for (const pid of rest) send(pid, signal)
  return [...roots, ...rest]
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

function descendants(roots: readonly number[]): number[] {
  const found = new Set(roots)
  const parents = listProcesses()
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const [pid, { parent }] of parents) if (found.has(parent)) found.add(pid)
  }
  for (const pid of roots) found.delete(pid)
  return [...found]
}

/** Resolves when they have ended, even if nobody has waited for them, as in some containers. */
export async function gone(pids: readonly number[]): Promise<void> {
  for (;;) {
    const present = listProcesses()
    if (pids.every((pid) => (present.get(pid)?.state ?? 'Z') === 'Z')) return
    await sleep(20)
  }
}

function listProcesses(): Map<number, { parent: number; state: string }> {
  const found = new Map<number, { parent: number; state: string }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // The name of the program, in parentheses, may contain anything.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      found.set(Number(name), { state, parent: Number(parent) })
    } catch {
      // It has ended meanwhile.
    }
  }
  return found
}
