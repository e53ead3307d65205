import { StringDecoder } from 'node:string_decoder'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { copyValuesOf } from '../../database/copy.ts'
import { buildSegment, newRows, putRow, type Rows, type Segment } from '../../index/index.ts'
import { INDEX_TABLES, type IndexName, type IndexTable } from './tables.ts'

/** A segment and the number of the change log that it is true at. */
export interface LoadedSegment {
  segment: Segment
  sequence: number
}

/** Reads all stones of an index in one snapshot, by a streaming COPY, and packs them. */
export async function loadSegment(url: string, name: IndexName): Promise<LoadedSegment> {
  const table = INDEX_TABLES[name]
  const client = new pg.Client({ connectionString: url, application_name: 'pavilion index' })
  // The failure of a query is what tells; without a listener it would end the process as well.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const clock = await client.query<{ last: string }>('select last from change_clock')
    const rows = await readRows(client, table)
    await client.query('commit')
    return { segment: buildSegment(rows), sequence: Number(clock.rows[0].last) }
  } finally {
    await client.end().catch(() => {})
  }
}

async function readRows(client: pg.Client, { columns, where }: IndexTable): Promise<Rows> {
  const rows = newRows(columns.spec)
  const query = `copy (select ${columns.select} from gem where ${where}) to stdout`
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of client.query(copyTo(query))) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { id, values } = columns.read(copyValuesOf(line), rows.dictionaries)
      putRow(rows, rows.size, id, values)
    }
  }
  return rows
}
