import { sql } from 'kysely'
import { feedColumns } from '../../gems/gem.ts'

/** Every column that a change writes. Quantity has a rule of its own. */
export const CHANGED_COLUMNS = feedColumns('price', 'media', 'details')

/** Every column that the journal keeps of a stone before it is changed. */
export const JOURNAL_COLUMNS = [
  'state',
  'quantity',
  'feed_quantity',
  'feed_hash',
  'feed_gone',
  'updated_on',
  ...CHANGED_COLUMNS,
]

/** Names for a statement, of one table or bare. They are constants of ours, never input. */
export const list = (columns: readonly string[], table?: string) =>
  sql.raw(columns.map((column) => (table ? `${table}.${column}` : column)).join(', '))
