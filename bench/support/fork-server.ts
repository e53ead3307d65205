import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface ForkedServer {
  process: ChildProcess
  port: number
}

/**
 * Runs a server in its own process, as in production: two servers in one process would share, and
 * so spoil, the compiler's type feedback. The server sends its port when it is ready. Its log, on
 * standard output, goes nowhere.
 */
export function forkServer(file: URL, ...args: string[]): Promise<ForkedServer> {
  const child = fork(fileURLToPath(file), args, {
    // As `npm start` has it.
    execArgv: ['--max-semi-space-size=32', '--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ process: child, port: Number(port) }))
    child.once('exit', (code) => reject(new Error(`the ${args[0]} server ended with ${code}`)))
  })
}

/** Called by the server: sends the port, and exits when the parent process is gone. */
export function sendPort(port: number): void {
  process.once('disconnect', () => process.exit())
  process.send?.(port)
}
