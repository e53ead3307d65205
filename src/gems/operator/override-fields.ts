import type { GemTable } from '../../database/tables/gems.ts'

/**
 * The columns that the operator can override, with their types in SQL. An overridden column has
 * the operator's value; `overrides` of the stone has it, too, and `feed_values` has what the feed
 * says. Everything that writes what a feed says does it with `setFed`, and everything that compares
 * a stone with its feed reads it with `fed`. `enabled` is an override without a column: the stone's
 * state.
 */
export const OVERRIDE_COLUMNS = {
  can_hold: 'boolean',
  memo: 'boolean',
  returnable: 'boolean',
  wholesale_price: 'numeric',
  wholesale_price_us: 'numeric',
  is_sustainable: 'boolean',
  sustainability_details: 'jsonb',
  tolerance_positive: 'numeric',
  tolerance_negative: 'numeric',
  media_requested: 'boolean',
  image_top_url: 'text',
  image_bottom_url: 'text',
  video_url: 'text',
  ux_url: 'text',
  cached_ux_url: 'text',
  v360_json_base_url: 'text',
  v360_info: 'jsonb',
  cert_url: 'text',
  original_imported_ext_url: 'text',
} as const satisfies Partial<Record<keyof GemTable, 'boolean' | 'numeric' | 'text' | 'jsonb'>>

/** The longest address that can be set by hand. */
export const OVERRIDE_URL_CHARS_MAX = 2_000

export type OverrideColumn = keyof typeof OVERRIDE_COLUMNS
export type OverrideField = OverrideColumn | 'enabled'

export const OVERRIDE_FIELDS: readonly OverrideField[] = [
  'enabled',
  ...(Object.keys(OVERRIDE_COLUMNS) as OverrideColumn[]),
]

function isOverrideColumn(name: string): name is OverrideColumn {
  return Object.hasOwn(OVERRIDE_COLUMNS, name)
}

/** What the feed says of a column of `g`, in SQL. */
export function fed(column: string): string {
  if (!isOverrideColumn(column)) return `g.${column}`
  const type = OVERRIDE_COLUMNS[column]
  const value =
    type === 'jsonb'
      ? `nullif(g.feed_values->'${column}', 'null')`
      : `(g.feed_values->>'${column}')::${type}`
  return `case when g.overrides ? '${column}' then ${value} else g.${column} end`
}

/**
 * The assignments by which an update of `gem g` writes what the feed says: an overridden column
 * keeps the operator's value, and the feed's goes beneath it. `newValue` gives the new one in SQL.
 */
export function setFed(columns: readonly string[], newValue: (column: string) => string): string {
  const overridable = columns.filter(isOverrideColumn)
  const assignments = columns.map((column) => {
    const value = newValue(column)
    if (!isOverrideColumn(column)) return `${column} = ${value}`
    return `${column} = case when g.overrides ? '${column}' then g.${column} else ${value} end`
  })
  const values = overridable.map((column) => `'${column}', ${newValue(column)}`).join(', ')
  const beneath = `g.feed_values || coalesce((
    select jsonb_object_agg(key, value) from jsonb_each(jsonb_build_object(${values}))
    where g.overrides ? key), '{}')`
  return [
    ...assignments,
    `feed_values = case when g.overrides is null then null else ${beneath} end`,
  ].join(', ')
}
