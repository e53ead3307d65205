import { rm } from 'node:fs/promises'
import type { Database } from '../../../database/open.ts'
import { atMost } from '../../../lib/one-at-a-time.ts'
import type { IndexName } from '../../indexing/columns.ts'
import { ageOfFile, type FileMessage, type IndexFile } from '../../indexing/index-file.ts'
import type { IndexState } from '../../indexing/state.ts'
import type { StoredStones } from '../stored-stones.ts'
import { adoptStones, versionsIn } from './adopt-stones.ts'
import { type AboutStones, renderingCode } from './stones-file.ts'

/**
 * Keeps the rendered stones of an index in a file of the node, so that its next start need not
 * render them again. Every process of the node reads it, and one at a time writes it. It is a copy
 * of what the database has, and is only used when it is shown to be one (adopt-stones.ts and
 * docs/decisions/0029-stones-on-disk.md).
 */
export interface KeptStones {
  /**
   * Called with each state of the index that was loaded, before it is used, and whether the file of
   * the index was refused. Rejects only when the database does.
   */
  onLoad(state: IndexState, wasFileRefused: boolean): Promise<void>
  /**
   * Writes the file when many stones have changed since, at once when all are rendered. Never
   * rejects.
   */
  saveWhenDue(isComplete: boolean): Promise<void>
  /** Writes it when the next start would have much to render again. Never rejects. */
  saveAtStop(): Promise<void>
}

/** Where the stones are kept between two starts of the process, and who is told of it. */
export interface StonesFileOptions {
  stonesFile?: IndexFile | undefined
  onStonesFile?: ((message: FileMessage) => void) | undefined
}

interface KeepStonesOptions extends StonesFileOptions {
  database: Database
  name: IndexName
  publicUrl: string
}

/** When so many of the stones are not in the file as they are now, it is written again. */
const DUE_SHARE = 0.05
/** Rendering so many of them takes as long as writing all. */
const DUE_SHARE_AT_STOP = 0.01
/** A file that is younger is left alone, whichever process of the node has written it. */
const DUE_AGE_MS = 5 * 60_000
const LOOK_EVERY_MS = 60_000
/** A stop waits so long for the file. */
const STOP_MS = 10_000

export function keepStones(options: KeepStonesOptions, stored: StoredStones): KeptStones {
  const { stonesFile: file, onStonesFile: onFile = () => {} } = options
  const nothing = async () => {}
  if (!file) return { onLoad: nothing, saveWhenDue: nothing, saveAtStop: nothing }
  const { path, program } = file
  const code = renderingCode()
  let state: IndexState | undefined
  let saving = Promise.resolve()
  // Mostly all stones are rendered before, and are written then.
  let nextLookMs = performance.now() + DUE_AGE_MS

  function aboutNow({ origin, sequence }: IndexState): AboutStones {
    const { name: index, publicUrl } = options
    return { program, code, index, publicUrl, origin, sequence }
  }

  async function save(saved: IndexState): Promise<void> {
    const about = aboutNow(saved)
    try {
      const isWritten = await stored.save(path, about, () => versionsIn(saved.store))
      if (isWritten) onFile({ written: about.sequence })
    } catch (error) {
      onFile({ unwritten: (error as Error).message })
    }
  }

  const removeFile = () => rm(path, { force: true }).catch(() => {})
  const lacks = (share: number) => stored.unsaved() > share * stored.size().entries

  function saveNow(): Promise<void> {
    const saved = state
    if (saved) saving = saving.then(() => save(saved))
    return saving
  }

  return {
    async onLoad(loaded, wasFileRefused) {
      await saving
      const adopting = { database: options.database, path, about: aboutNow(loaded), wasFileRefused }
      const message = state ? undefined : await adoptStones(adopting, loaded.store, stored)
      if (message) onFile(message)
      // What changed between an earlier state and this one is not announced stone by stone.
      if (state || (message && 'refused' in message)) await removeFile()
      state = loaded
    },
    async saveWhenDue(isComplete) {
      if (!lacks(DUE_SHARE) || (performance.now() < nextLookMs && !isComplete)) return
      nextLookMs = performance.now() + LOOK_EVERY_MS
      if ((await ageOfFile(file)) >= DUE_AGE_MS) await saveNow()
    },
    async saveAtStop() {
      if (lacks(DUE_SHARE_AT_STOP)) await atMost(STOP_MS, saveNow())
      else await atMost(STOP_MS, saving)
    },
  }
}
