import { sql } from 'kysely'
import type { Db } from '../../src/database/open.ts'

/**
 * Prints the schema of a database from PostgreSQL's catalogue, sorted by name, so that it is the
 * same on every machine and every supported version. The migrator's own tables are left out.
 */
export async function printSchema(db: Db): Promise<string> {
  const parts = [...(await printTables(db)), ...(await printSequences(db))]
  return `${[...parts, ...(await printFunctions(db))].join('\n\n')}\n`
}

/** A table, and below it everything that belongs to it. */
async function printTables(db: Db): Promise<string[]> {
  const columns = await linesByTable(db, COLUMNS)
  const constraints = await linesByTable(db, CONSTRAINTS)
  const indexes = await linesByTable(db, INDEXES)
  const triggers = await linesByTable(db, TRIGGERS)
  const { rows } = await sql<{ name: string; is_unlogged: boolean }>`
    select relname as name, relpersistence = 'u' as is_unlogged from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname !~ '^kysely_'
    order by relname collate "C"`.execute(db)
  return rows.map(({ name, is_unlogged }) => {
    const inside = [...(columns.get(name) ?? []), ...(constraints.get(name) ?? [])]
    const statements = [...(indexes.get(name) ?? []), ...(triggers.get(name) ?? [])]
    const head = `create ${is_unlogged ? 'unlogged ' : ''}table ${name} (`
    const table = [head, inside.map((line) => `  ${line}`).join(',\n'), ');'].join('\n')
    return [table, ...statements.map((statement) => `${statement};`)].join('\n')
  })
}

/** In the order of the columns, which `insert … select *` relies on. */
const COLUMNS = sql`
  select attrelid::regclass::text as table_name, concat_ws(' ', quote_ident(attname),
      format_type(atttypid, atttypmod),
      case when attcollation <> typcollation then 'collate ' || quote_ident(collname) end,
      case when attidentity = 'a' then 'generated always as identity' end,
      case when attnotnull then 'not null' end,
      'default ' || pg_get_expr(adbin, adrelid, true)) as line
  from pg_attribute
  join pg_class on pg_class.oid = attrelid and relkind = 'r'
  join pg_type on pg_type.oid = atttypid
  left join pg_collation on pg_collation.oid = attcollation
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
  order by attrelid, attnum`

/** From version 18 on, PostgreSQL lists not-null constraints here too; the columns say them. */
const CONSTRAINTS = sql`
  select conrelid::regclass::text as table_name,
    'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid, true) as line
  from pg_constraint
  where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('p','u','f','c','x')
  order by position(contype in 'pufcx'), conname collate "C"`

/** Without those that a constraint made. */
const INDEXES = sql`
  select indrelid::regclass::text as table_name, pg_get_indexdef(indexrelid, 0, true) as line
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p','u'))
  order by relname collate "C"`

const TRIGGERS = sql`
  select tgrelid::regclass::text as table_name, pg_get_triggerdef(oid, true) as line
  from pg_trigger where not tgisinternal order by tgname collate "C"`

async function linesByTable(db: Db, query: typeof COLUMNS): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table_name: string; line: string }>`${query}`.execute(db)
  const lines = new Map<string, string[]>()
  for (const { table_name, line } of rows) {
    lines.set(table_name, [...(lines.get(table_name) ?? []), line])
  }
  return lines
}

/** Without those of identity columns. */
async function printSequences(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S'
      and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('a', 'i'))
    order by relname collate "C"`.execute(db)
  return rows.map(({ name }) => `create sequence ${name};`)
}

async function printFunctions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(oid) as definition from pg_proc
    where pronamespace = 'public'::regnamespace order by proname collate "C"`.execute(db)
  return rows.map(({ definition }) => `${definition.trim()};`)
}
