import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface ForkedServer {
  process: ChildProcess
  port: number
}

/**
 * Runs a server in a process of its own, as it runs in earnest: two of them in one process would
 * spoil each other's compiled code. The file sends its port when it is ready.
 */
export function forkServer(file: URL, ...args: string[]): Promise<ForkedServer> {
  const child = fork(fileURLToPath(file), args, { execArgv: ['--import', 'tsx'] })
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ process: child, port: Number(port) }))
    child.once('exit', (code) => reject(new Error(`the ${args[0]} server ended with ${code}`)))
  })
}

/** Called in that process: tells the port, and ends when nobody is left who would stop it. */
export function tellPort(port: number): void {
  process.once('disconnect', () => process.exit())
  process.send?.(port)
}
