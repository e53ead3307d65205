import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { watchSessions, withSession } from '../../database/watch-sessions.ts'
import { buildSegment, newRows, type Rows, type Segment } from '../../index/index.ts'
import { INDEX_TABLES, type IndexName, type IndexTable } from './columns.ts'
import { readCopied } from './copied-rows.ts'

/** A segment, and the place in the change log at which it was read. */
export interface LoadedSegment extends LogPlace {
  segment: Segment
}

export interface LogPlace {
  /** The last number of the log. */
  sequence: number
  /** Which log it is: that of a database, in one history of one server (decision 27). */
  origin: string
}

/** Called now and then with the number of stones that were read so far. */
export type OnRead = (stones: number) => void

interface ReadOptions {
  onRead?: OnRead
  /** How many connections read a large table, each of them parts of it. */
  connections?: number
}

/** Reads all stones of an index in one snapshot, by streaming COPYs, and builds a segment. */
export async function loadSegment(
  url: string,
  name: IndexName,
  { onRead = () => {}, connections = 1 }: ReadOptions = {},
): Promise<LoadedSegment> {
  const table = INDEX_TABLES[name]
  const rows = newRows(table.columns.spec)
  const options = { url, applicationName: 'pavilion index', watch: watchSessions(url) }
  const place = await withSession(options, async (client) => {
    await client.query(BEGIN)
    const place = await readPlace(client)
    const parts = connections > 1 ? await listParts(client, table) : [table.from]
    const snapshot = parts.length > 1 ? await exportSnapshot(client) : undefined
    const readOn = (on: pg.Client) => readParts(on, parts, table, rows, onRead)
    const others = Array.from({ length: snapshot ? connections - 1 : 0 }, () =>
      withSession(options, async (other) => {
        await other.query(BEGIN)
        await other.query(`set transaction snapshot '${snapshot}'`)
        await readOn(other)
      }),
    )
    await Promise.all([readOn(client), ...others])
    return place
  })
  return { segment: buildSegment(rows), ...place }
}

export const BEGIN = 'begin isolation level repeatable read read only'

/** Where the log is, in the transaction of the connection. */
export async function readPlace(client: pg.Client): Promise<LogPlace> {
  const { rows } = await client.query<{ last: string; origin: string }>(
    `select last, concat_ws('/', history, (
       select oid from pg_database where datname = current_database())) as origin
     from change_clock`,
  )
  return { sequence: Number(rows[0].last), origin: rows[0].origin }
}

/** With fewer stones a second connection is not worth its start. */
const PARTS_STONES_MIN = 100_000
/** More parts than connections, so that none waits long for the others at the end. */
const PARTS = 8

/**
 * Cuts a large table into parts of equally many pages: they are read once each, in the order in
 * which they are stored. A table that has few stones of this kind is read as the planner likes.
 */
async function listParts(client: pg.Client, { from }: IndexTable): Promise<string[]> {
  const isLarge = await client.query(`select from ${from} offset ${PARTS_STONES_MIN} limit 1`)
  if (isLarge.rowCount === 0) return [from]
  const { rows } = await client.query<{ pages: string }>(
    `select pg_relation_size('gem') / current_setting('block_size')::int as pages`,
  )
  const perPart = Math.ceil(Number(rows[0].pages) / PARTS)
  return Array.from({ length: PARTS }, (_, part) => {
    const pages = `${from} and gem.ctid >= '(${part * perPart},0)'`
    return part === PARTS - 1 ? pages : `${pages} and gem.ctid < '(${(part + 1) * perPart},0)'`
  })
}

async function exportSnapshot(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id')
  return rows[0].id
}

const REPORT_EVERY_STONES = 50_000

/** Reads one part after the other until none is left; other connections may take some of them. */
async function readParts(
  client: pg.Client,
  parts: string[],
  { columns }: IndexTable,
  rows: Rows,
  onRead: OnRead,
): Promise<void> {
  const read = readCopied(columns, rows)
  let reportAt = REPORT_EVERY_STONES
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const query = `copy (select ${columns.select} from ${part}) to stdout`
    for await (const chunk of client.query(copyTo(query))) {
      read(chunk as Buffer)
      if (rows.size < reportAt) continue
      onRead(rows.size)
      reportAt = rows.size + REPORT_EVERY_STONES
    }
  }
}
