import { writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import type { Config } from '../../config.ts'

/** Lines are collected up to this size, or this long. */
const COLLECT_CHARACTERS = 2048
const COLLECT_MS = 200
/** What may wait for a reader that is too slow; further lines are dropped. */
const WAITING_CHARACTERS_MAX = 4 * 1024 * 1024
/** The wait before a full pipe is tried again; it takes 64 KiB at a time. */
const FULL_WAIT_MS = 5
/** How often that is done for the rest of the log when the process exits: half a second in all. */
const FULL_WAITS_AT_EXIT = 100

export interface ServerLog {
  log: Logger
  output: LogOutput
}

interface LogOutput {
  /** Takes whole lines. */
  write(lines: string): void
}

/**
 * Opens the log, on standard output unless that is for something else. When the terminal or the
 * pipe behind it is closed, nobody reads on, and the lines are dropped: running requests must be
 * able to finish.
 */
export function openLog({ logLevel }: Config, stream: 'stdout' | 'stderr' = 'stdout'): ServerLog {
  for (const each of [process.stdout, process.stderr]) each.on('error', () => {})
  // Node has made a pipe non-blocking when `process.stdout` was first read.
  const output = createLogOutput(process[stream].fd)
  return { log: pino({ level: logLevel }, output), output }
}

/**
 * Writes lines a few at a time, because a system call for each request would cost more than the
 * line. What is left is written when the process exits, unless nobody takes it: pino's own
 * destination would try for ever (sonic-boom 4.2, `flushSync`).
 */
function createLogOutput(fd: number): LogOutput {
  let lines = ''
  let rest = Buffer.alloc(0)
  let isFull = false
  let isClosed = false
  const timer = setInterval(() => isFull || writeWaiting(), COLLECT_MS).unref()

  function write(added: string): void {
    if (isClosed || rest.length + lines.length + added.length > WAITING_CHARACTERS_MAX) return
    lines += added
    if (lines.length >= COLLECT_CHARACTERS && !isFull) writeWaiting()
  }

  function writeWaiting(): void {
    isFull = false
    try {
      while (rest.length > 0 || lines !== '') {
        if (rest.length === 0) {
          rest = Buffer.from(lines)
          lines = ''
        }
        rest = rest.subarray(writeSync(fd, rest))
      }
    } catch (error) {
      isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN'
      if (isFull) setTimeout(writeWaiting, FULL_WAIT_MS).unref()
      else close()
    }
  }

  function writeAtExit(): void {
    writeWaiting()
    for (let waits = 0; isFull && waits < FULL_WAITS_AT_EXIT; waits++) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_WAIT_MS)
      writeWaiting()
    }
  }

  function close(): void {
    isClosed = true
    lines = ''
    rest = Buffer.alloc(0)
    clearInterval(timer)
  }

  process.once('exit', writeAtExit)
  return { write }
}

/**
 * Writes the lines of another process to the log of this one. Processes must not share a pipe: one
 * of them makes it blocking for all when it starts, and a full pipe would then stop the others.
 */
export function forwardLines(stream: NodeJS.ReadableStream, output: LogOutput): void {
  let begun = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) output.write(begun + text.slice(0, end))
    begun = end > 0 ? text.slice(end) : begun + text
  })
}
