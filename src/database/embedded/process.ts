import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

/** A zombie counts as dead: in a container, nothing may ever reap it. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await commandOf(pid)) !== undefined
}

/** The short name of the program of a running process. */
export async function commandOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return (await statOf(pid))?.command
  const args = ['-o', 'stat=,comm=', '-p', String(pid)]
  const { stdout } = await promisify(execFile)('ps', args).catch(() => ({ stdout: '' }))
  const [, state, path] = /^(\S+)\s+(.*)$/m.exec(stdout) ?? []
  return state === undefined || state.startsWith('Z') ? undefined : path?.split('/').at(-1)
}

/**
 * Whether the folder is the working directory of a process, by whatever path. Undefined when that
 * is unknown: the process has just ended, is another user's, or the system does not tell.
 */
export async function runsIn(pid: number, folder: string): Promise<boolean | undefined> {
  const there = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  if (there === undefined) return undefined
  const here = await stat(folder)
  return there.dev === here.dev && there.ino === here.ino
}

/**
 * Returns the processes of this name in the folder whose parent, a process of the same name, is
 * dead: their parent is now another program. The parent of a running server's process is its
 * postmaster, and the postmaster itself has no title such as `postgres: writer`. Linux only.
 */
export async function orphansIn(folder: string, command: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  const orphans: number[] = []
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number)) {
    const found = await statOf(pid)
    if (found?.command !== command || (await runsIn(pid, folder)) !== true) continue
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const isChild = title.startsWith(`${command}: `)
    if (isChild && (await commandOf(found.parent)) !== command) orphans.push(pid)
  }
  return orphans
}

async function statOf(pid: number): Promise<{ command: string; parent: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // pid (command) state parent ...; the command may itself contain parentheses.
  const [, command, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(text) ?? []
  if (command === undefined || state === 'Z' || state === 'X') return undefined
  return { command, parent: Number(parent) }
}
