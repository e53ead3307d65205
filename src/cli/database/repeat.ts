import { setTimeout as sleep } from 'node:timers/promises'
import type { Manifest } from '../../database/backup/manifest.ts'
import { describeError } from '../output/print.ts'
import { STOP_SIGNALS } from '../serve/stop-signal.ts'

/** What a backup tells about itself. */
export interface BackupReport {
  folder: string
  begun_on: string
  ended_on: string
  seconds: number
  bytes: number
  secret_key: Manifest['secret_key']
  environment_key: boolean
  /** Whether it can be restored to any moment since, with the archived WAL. */
  point_in_time: boolean
  markets: {
    realm: string
    taken_on: string
    rows: number
    tables: number
    change_sequence: number
    migration: string
  }[]
  /** Earlier backups that were removed. */
  removed: string[]
}

interface Repetition {
  everyMs: number
  run: () => Promise<BackupReport>
  /** What is printed about a run, and where. */
  show: (report: BackupReport) => string
  json: boolean
}

/**
 * Makes backups until the process is asked to stop, which lets the running one finish. One that
 * fails is reported in a sentence, and the next one is made at its time.
 */
export async function repeatBackups({ everyMs, run, show, json }: Repetition): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  for (const signal of STOP_SIGNALS) process.on(signal, end)
  try {
    while (!stop.signal.aborted) {
      const startMs = performance.now()
      try {
        const report = await run()
        write(process.stdout, json ? JSON.stringify(report) : show(report))
      } catch (error) {
        const { code, detail, ...more } = describeError(error)
        const sentence = detail.replace(/[.]?$/, '.')
        write(process.stderr, `This backup failed: ${sentence} The next one is made at its time.`)
        if (json) write(process.stdout, JSON.stringify({ error: { ...more, code, detail } }))
      }
      const waitMs = Math.max(0, startMs + everyMs - performance.now())
      await sleep(waitMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, end)
  }
}

function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${text}\n`)
}
