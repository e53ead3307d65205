import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

/** A zombie counts as gone: in a container nobody may ever collect it. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await commandOf(pid)) !== undefined
}

/** The short name of a living process's program. */
export async function commandOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    // pid (command) state ...; the command may itself contain parentheses.
    const [, command, state] = /^\d+ \((.*)\) (\S)/s.exec(text ?? '') ?? []
    return state === 'Z' || state === 'X' ? undefined : command
  }
  const args = ['-o', 'stat=,comm=', '-p', String(pid)]
  const { stdout } = await promisify(execFile)('ps', args).catch(() => ({ stdout: '' }))
  const [, state, path] = /^(\S+)\s+(.*)$/m.exec(stdout) ?? []
  return state === undefined || state.startsWith('Z') ? undefined : path?.split('/').at(-1)
}

/** The folder a process stands in, where the system tells it. */
export function folderOf(pid: number): Promise<string | undefined> {
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined)
}
