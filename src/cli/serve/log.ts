import type { EventEmitter } from 'node:events'
import { type Logger, pino } from 'pino'
import type { Config } from '../../config.ts'

/** At most 4 KiB at once, which a pipe does not mix with the lines of other workers. */
const WRITES = { minLength: 2048, maxWrite: 4096, periodicFlush: 200 }

/**
 * Opens the log on standard output. When the terminal or the pipe behind it is closed, nobody
 * reads on, and the lines are dropped: running requests must be able to finish.
 *
 * Lines are collected and written a few at a time, because a system call for each request would
 * cost more than the line. What is left is written when the process exits.
 */
export function openLog({ logLevel }: Config): Logger {
  const destination = pino.destination({ fd: 1, sync: false, ...WRITES })
  const streams: EventEmitter[] = [destination, process.stdout, process.stderr]
  for (const stream of streams) stream.on('error', () => {})
  return pino({ level: logLevel }, destination)
}
