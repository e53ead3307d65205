import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const BIN = resolve('bin/pavilion')

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

/**
 * Leaves out the settings of the machine that runs the tests. Root's PostgreSQL runs as "nobody", so
 * that tests create no account on the machine.
 */
function environment(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const own = { LOG_LEVEL: 'warn', DRAIN_SECONDS: '0', PAVILION_ACCOUNT: 'nobody' }
  return { PATH, HOME, TMPDIR, ...own, ...settings }
}

export function spawnPavilion(
  args: readonly string[],
  settings: Record<string, string>,
  cwd = process.cwd(),
): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], { cwd, env: environment(settings), stdio: 'pipe' })
}

/** Less than a test may take, so that the failure names the command that did not end. */
const COMMAND_MS = 200_000

/** Runs a command of the compiled command line until it exits. */
export async function runPavilion(
  args: readonly string[],
  settings: Record<string, string>,
  cwd?: string,
): Promise<CommandResult> {
  const child = spawnPavilion(args, settings, cwd)
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  let waits: string | undefined
  const overdue = setTimeout(() => {
    waits = describeThreads(child.pid)
    child.kill('SIGKILL')
  }, COMMAND_MS)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(overdue)
  if (waits === undefined) return { code, stdout, stderr }
  const command = `pavilion ${args.join(' ')}`
  throw new Error(
    `"${command}" did not end in ${COMMAND_MS / 1000} s.\n${waits}\n${stdout}\n${stderr}`,
  )
}

/**
 * What each thread of a process waits for, on Linux: one that waits for the database is in a poll,
 * and one that waits for another thread is in a futex.
 */
function describeThreads(pid: number | undefined): string {
  const folder = `/proc/${pid}/task`
  try {
    return readdirSync(folder)
      .map((thread) => {
        const read = (name: string) => readFileSync(`${folder}/${thread}/${name}`, 'utf8').trim()
        return `thread ${thread} (${read('comm')}) waits in ${read('wchan')}`
      })
      .join('\n')
  } catch {
    return 'What its threads wait for is not known.'
  }
}

export interface RunningServer {
  child: ChildProcess
  /** What it has printed so far. */
  output(): string
  address: string
  sandboxAddress: string | undefined
  /** Resolves to the exit code. */
  exited: Promise<number | null>
  /** Sends the signal and resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A first start works for some 35 seconds of processor time; other tests run beside it. */
const READY_MS = 600_000

/** Starts a server on free ports and waits until it prints that it is ready. */
export async function startPavilion(
  settings: Record<string, string>,
  options: readonly string[] = [],
): Promise<RunningServer> {
  const child = spawnPavilion(['start', ...options], { PORT: '0', SANDBOX_PORT: '0', ...settings })
  let printed = ''
  const exited = once(child, 'exit') as Promise<[number | null]>
  const ready = new Promise<void>((resolveReady, reject) => {
    const take = (chunk: Buffer) => {
      printed += chunk
      if (/Pavilion is ready[\s\S]*documents/.test(printed)) resolveReady()
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    child.once('exit', (code) => reject(new Error(`exited with ${code}: ${printed}`)))
    setTimeout(() => reject(new Error(`not ready in time: ${printed}`)), READY_MS).unref()
  })
  await ready
  return {
    child,
    output: () => printed,
    address: /production\s+(\S+)/.exec(printed)?.[1] ?? '',
    sandboxAddress: /sandbox\s+(\S+)/.exec(printed)?.[1],
    exited: exited.then(([code]) => code),
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}
