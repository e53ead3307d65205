import { StringDecoder } from 'node:string_decoder'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Gem } from './gem-rendering.ts'

/** Which stones are in a merchant's copy of the market. */
export const VISIBLE = `product_type = 'diamond' and state = 'available' and quantity > 0`

/** Nobody has a use for it, and it is long. */
const LEFT_OUT = ['feed_hash']

/**
 * Whole rows of the visible diamonds, some at a time, by a streaming COPY: the usual protocol
 * would take twice as long. It reads no faster than the rows are taken.
 */
export async function* readVisible(client: pg.Client): AsyncGenerator<Gem[]> {
  const columns = await listColumns(client)
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const query = copyTo(`copy (select ${names} from gem where ${VISIBLE}) to stdout`)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of client.query(query)) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map((line) => rowFrom(columns, line))
  }
}

interface Column {
  name: string
  read: (printed: string) => unknown
}

const BOOLEAN = 16
const BIGINT = 20
const INTEGER = 23
const JSONB = 3802

/** Columns with the same types in JavaScript as database/open.ts gives them. */
const READERS: Record<number, (printed: string) => unknown> = {
  [BOOLEAN]: (printed) => printed === 't',
  [BIGINT]: Number,
  [INTEGER]: Number,
  [JSONB]: (printed) => JSON.parse(unescapeText(printed)),
}

async function listColumns(client: pg.Client): Promise<Column[]> {
  const { fields } = await client.query('select * from gem limit 0')
  return fields
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map(({ name, dataTypeID }) => ({ name, read: READERS[dataTypeID] ?? unescapeText }))
}

function rowFrom(columns: readonly Column[], line: string): Gem {
  const printed = line.split('\t')
  const row: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) {
    const value = printed[i]
    row[columns[i].name] = value === '\\N' ? null : columns[i].read(value)
  }
  return row as unknown as Gem
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function unescapeText(value: string): string {
  if (!value.includes('\\')) return value
  return value.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)
}
