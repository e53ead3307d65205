import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Embedded,
  type EmbeddedOptions,
  openEmbedded,
} from '../../database/embedded/embedded.ts'
import { STOP_SIGNALS } from '../serve/stop-signal.ts'

/** For what a command does when its database is gone, such as removing half of a backup. */
const TIDY_MS = 500

/**
 * Runs work with the embedded PostgreSQL, and stops the server afterwards unless others use it. A
 * command that is interrupted stops it, too, because nobody else would.
 */
export async function withEmbedded<T>(
  options: EmbeddedOptions,
  work: (embedded: Embedded) => Promise<T>,
): Promise<T> {
  const opening = openEmbedded(options)
  const unwatch = endOnSignal(async () => (await opening).close())
  try {
    const embedded = await opening
    try {
      return await work(embedded)
    } finally {
      await embedded.close()
    }
  } finally {
    unwatch()
  }
}

/** A second signal ends the process at once. */
function endOnSignal(close: () => Promise<void>): () => void {
  const watched = STOP_SIGNALS.map((signal) => {
    function endCommand(): void {
      // A command that ends by itself, such as backups on a schedule, finishes its work before.
      if (process.listeners(signal).some(({ name }) => name !== endCommand.name)) return
      void closeAndExit(close, 128 + constants.signals[signal])
    }
    process.once(signal, endCommand)
    return () => void process.off(signal, endCommand)
  })
  return () => {
    for (const end of watched) end()
  }
}

async function closeAndExit(close: () => Promise<void>, exitCode: number): Promise<void> {
  await close().catch(() => {})
  await sleep(TIDY_MS)
  process.exit(exitCode)
}
