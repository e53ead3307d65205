import type { EventEmitter } from 'node:events'
import { type Logger, pino } from 'pino'
import type { Config } from '../../config.ts'

/**
 * Opens the log on standard output. When the terminal or the pipe behind it is closed, nobody
 * reads on, and the lines are dropped: running requests must be able to finish.
 */
export function openLog({ logLevel }: Config): Logger {
  const destination = pino.destination({ fd: 1, sync: true })
  const streams: EventEmitter[] = [destination, process.stdout, process.stderr]
  for (const stream of streams) stream.on('error', () => {})
  return pino({ level: logLevel }, destination)
}
