import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../database/open.ts'
import { withSession } from '../../../database/watch-sessions.ts'
import { find, type Store } from '../../../index/index.ts'
import { type FileMessage, listChanged } from '../../indexing/index-file.ts'
import { BEGIN } from '../../indexing/read-table.ts'
import { termsIn } from '../../indexing/table-digest.ts'
import type { StoredStones } from '../stored-stones.ts'
import { type Place, savedPlaceOf } from './blocks.ts'
import type { KnownPlaces } from './places.ts'
import type { VersionsNow } from './saving.ts'
import {
  type AboutStones,
  type ListedStones,
  openStonesFile,
  type StonesFile,
} from './stones-file.ts'

interface AdoptOptions {
  database: Database
  path: string
  /** What would be said about stones now. */
  about: AboutStones
  wasFileRefused: boolean
}

type Refused = Extract<FileMessage, { refused: string }>

/**
 * Uses the stones of a file, if it is whole, was written by the same code for the same URL, from
 * the same history of the same database, and its stones have in the index the version that they had
 * then. Those that have changed since by the log are former ones. Undefined when there is no file.
 * Rejects only when the database does.
 */
export async function adoptStones(
  options: AdoptOptions,
  store: Store,
  stored: StoredStones,
): Promise<FileMessage | undefined> {
  const file = await openStonesFile(options.path).catch((error: Error) => ({
    refused: error.message,
  }))
  if (!file || 'refused' in file) return file
  let isUsed = false
  try {
    const known = await knownPlaces(options, file, store)
    if ('refused' in known) return known
    stored.adopt(file, known)
    isUsed = true
    return { read: file.about.sequence }
  } finally {
    if (!isUsed) await file.close()
  }
}

async function knownPlaces(
  { database, about, wasFileRefused }: AdoptOptions,
  file: StonesFile,
  store: Store,
): Promise<KnownPlaces | Refused> {
  const refused = differenceOf(file.about, about)
  if (refused) return { refused }
  // Most reasons for that hold for this one, too.
  if (wasFileRefused) return { refused: 'that of the index is not used' }
  const session = { url: database.directUrl, applicationName: 'pavilion stones' }
  const changed = await withSession(session, async (client) => {
    await client.query(BEGIN)
    return listChanged(client, file.about)
  })
  if ('refused' in changed) return changed
  return placesIn(file.listed, store, new Set(changed.ids))
}

function differenceOf(about: AboutStones, expected: AboutStones): string | undefined {
  if (about.index !== expected.index) return `it is of the index ${about.index}`
  if (about.program !== expected.program) return `version ${about.program} has written it`
  if (about.code !== expected.code) return 'other code has written it'
  return about.publicUrl === expected.publicUrl ? undefined : `it is for ${about.publicUrl}`
}

/** Stones that are looked up in one turn of the event loop. */
const TURN_STONES = 5_000

/** Nothing changes the index meanwhile, because nobody uses it yet. */
async function placesIn(
  { ids, versions, blocks }: ListedStones,
  store: Store,
  changed: ReadonlySet<number>,
): Promise<KnownPlaces | Refused> {
  const current = new Map<number, Place>()
  const former = new Map<number, Place>()
  const versionOf = versionsIn(store)
  let firstBlock = 0
  for (const [at, id] of ids.entries()) {
    const version = versionOf(id)
    const place = savedPlaceOf(firstBlock, blocks[at])
    firstBlock += blocks[at]
    if (!changed.has(id)) {
      if (version !== versions[at]) return { refused: 'its stones are not those of the table' }
      current.set(id, place)
    } else if (version !== undefined) former.set(id, place)
    if (at % TURN_STONES === 0) await nextTurn()
  }
  return { current, former }
}

/**
 * Versions of stones in an index: numbers that follow from their prices and the time of their last
 * change. They show changes that the log does not tell of.
 */
export function versionsIn(store: Store): ReturnType<VersionsNow> {
  const ofBase = termsIn(store.base)
  const ofDelta = termsIn(store.delta)
  // Stones are mostly rendered, and therefore stored, in the order of the rows.
  let next = 0
  return (id) => {
    const found = find(store, id, next)
    if (!found) return undefined
    if (found.view !== store.base) return ofDelta(found.row)
    next = found.row + 1
    return ofBase(found.row)
  }
}
