import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Packages in a temporary folder of their own, and the processes that run there. */
export interface Installed {
  folder: string
  /** Runs a script of the folder to its end, and returns what it wrote into result.json. */
  run<Result>(args: string[], env: Record<string, string>): Promise<Result>
  /** Starts a script of the folder. */
  start(args: string[], env: Record<string, string>): Promise<void>
  remove(): Promise<void>
}

/** What packages depend on is chosen as of this day, so that every run has the same. */
const AS_OF = '2026-10-01'

/**
 * Installs packages from the registry that npm is configured for, without their scripts: into a
 * temporary folder, or into one that is kept, where the next run finds them.
 */
export async function install(
  packages: Record<string, string>,
  scripts: readonly string[],
  kept: string | undefined,
): Promise<Installed> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'pavilion-peer-')))
  await mkdir(folder, { recursive: true })
  const children: ChildProcess[] = []
  const manifest = { name: 'peer', private: true, dependencies: packages }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  for (const script of scripts) {
    await copyFile(fileURLToPath(new URL(script, import.meta.url)), join(folder, basename(script)))
  }
  const remove = async () => {
    await Promise.all(children.map(ended))
    if (kept === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const isInstalled = existsSync(join(folder, 'node_modules', '.package-lock.json'))
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const args = ['install', '--before', AS_OF, ...quiet]
    if (!isInstalled) await execute('npm', args, { cwd: folder, maxBuffer: 1e8 })
  } catch (error) {
    await remove()
    throw error
  }
  return {
    folder,
    remove,
    async run(args, env) {
      const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1e9 }
      await execute(process.execPath, args, options).catch((error) => {
        const { stdout, stderr } = error as { stdout: string; stderr: string }
        throw new Error(`${args.join(' ')} failed: ${`${stdout}${stderr}`.slice(-1_500)}`)
      })
      const text = await readFile(join(folder, 'result.json'), 'utf8').catch(() => '{}')
      return JSON.parse(text)
    },
    async start(args, env) {
      const log = await open(join(folder, `${children.length}.log`), 'a')
      const child = spawn(process.execPath, args, {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: ['ignore', log.fd, log.fd],
      })
      children.push(child)
      child.once('exit', () => void log.close())
    },
  }
}

const execute = promisify(execFile)

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

const START_MS = 180_000

/** Waits until a path returns 200. */
export async function untilUp(port: number, path: string, body?: unknown): Promise<void> {
  const endMs = performance.now() + START_MS
  for (;;) {
    const status = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    }).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    if (performance.now() > endMs) throw new Error(`${path} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
