import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { withSession } from '../../database/watch-sessions.ts'
import { type About, openSegment, type SegmentFile } from '../../index/index.ts'
import { INDEX_TABLES, type IndexName } from './columns.ts'
import { BEGIN, type LoadedSegment, type LogPlace, readPlace } from './read-table.ts'
import { agree, digestSegment, digestStones, digestTable } from './table-digest.ts'

/**
 * The file in which a node keeps the base of an index, so that its next start reads the file and
 * what changed since then, and not the table. It is only used when it is whole, was written by the
 * same program from the same history of the same database, and its stones are those of the table
 * (docs/decisions/0033-index-file.md).
 */
export interface IndexFile {
  path: string
  /** The version of the program. */
  program: string
}

/** What became of the file. */
export type FileMessage =
  /** It was not used, and is removed. */
  | { refused: string }
  /** The number of the change log up to which it was used. */
  | { read: number }
  /** Up to which number of the change log it was written. */
  | { written: number }
  | { unwritten: string }

export function fileMessage(problem: string | undefined, sequence: number): FileMessage {
  return problem === undefined ? { written: sequence } : { unwritten: problem }
}

/** How long ago the file was written, by any process of the node; Infinity when there is none. */
export async function ageOfFile({ path }: IndexFile): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  // The clock of this machine, by which the file system works.
  const nowMs = performance.timeOrigin + performance.now()
  return found ? nowMs - found.mtimeMs : Number.POSITIVE_INFINITY
}

/** What is written into the file of a base. */
export function segmentFile(
  { path, program }: IndexFile,
  name: IndexName,
  { origin, sequence }: LogPlace,
): SegmentFile {
  return { path, about: { program, index: name, columns: columnsOf(name), origin, sequence } }
}

/** What the columns are and how they are read: other values would be in a file of other ones. */
function columnsOf(name: IndexName): string {
  const { columns, from } = INDEX_TABLES[name]
  const parts = JSON.stringify([columns.spec, columns.select, from])
  return createHash('sha256').update(parts).digest('hex')
}

type RefusedFile = Extract<FileMessage, { refused: string }>

/** Reads the file; undefined when there is none. Fails only when the database does. */
export async function readIndexFile(
  url: string,
  name: IndexName,
  file: IndexFile,
): Promise<LoadedSegment | RefusedFile | undefined> {
  const opened = orRefused(() => openSegment(file.path))
  if (!opened || 'refused' in opened) return opened
  const { about } = opened
  const place = { origin: String(about.origin), sequence: Number(about.sequence) }
  try {
    const refused = differenceOf(about, segmentFile(file, name, place).about)
    if (refused) return { refused }
    return await withSession({ url, applicationName: 'pavilion index' }, async (client) => {
      await client.query(BEGIN)
      const changed = await listChanged(client, place)
      if ('refused' in changed) return changed
      const { ids } = changed
      const inTable = digestTable(client, INDEX_TABLES[name])
      // Otherwise a failure while the file is read would have nobody to hear of it.
      inTable.catch(() => {})
      // The query leaves before this thread has time for nothing but the file.
      await nextTurn()
      const segment = orRefused(opened.read)
      if ('refused' in segment) return segment
      const own = [digestSegment(segment), digestStones(segment, ids)] as const
      const table = [await inTable, await digestTable(client, INDEX_TABLES[name], ids)] as const
      if (!agree(table, own)) return { refused: 'its stones are not those of the table' }
      return { segment, ...place }
    })
  } finally {
    opened.close()
  }
}

function orRefused<T>(work: () => T): T | RefusedFile {
  try {
    return work()
  } catch (error) {
    return { refused: (error as Error).message }
  }
}

function differenceOf(about: About, expected: About): string | undefined {
  if (about.index !== expected.index) return `it is of the index ${about.index}`
  if (about.program !== expected.program) return `version ${about.program} has written it`
  return about.columns === expected.columns ? undefined : 'it has other columns'
}

/** With more changes since then the file would not be faster than the table. */
const CHANGED_MAX = 500_000

/** The stones that have changed since a file was written, numbered or not. */
export async function listChanged(
  client: pg.Client,
  { origin, sequence }: LogPlace,
): Promise<{ ids: number[] } | RefusedFile> {
  const now = await readPlace(client)
  if (origin !== now.origin) return { refused: 'it is of another database, or of another history' }
  if (sequence > now.sequence) return { refused: 'the change log has gone back' }
  const { rows: ends } = await client.query<{ missed: boolean }>(
    `select coalesce(min(sequence), $2) > $1 + 1
       or $1 < (select unbroken_after from change_clock) as missed from change`,
    [sequence, now.sequence + 1],
  )
  if (ends[0].missed) return { refused: 'the change log no longer has what changed since' }
  const { rows } = await client.query<{ id: string }>(
    `select gem_id as id from change where sequence > $1 and gem_id is not null
     union select gem_id from change_queue where gem_id is not null
     union select unnest(gem_ids) from change_queue limit ${CHANGED_MAX + 1}`,
    [sequence],
  )
  if (rows.length > CHANGED_MAX) return { refused: 'too much has changed since' }
  return { ids: rows.map(({ id }) => Number(id)) }
}
