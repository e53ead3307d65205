/** Rows as aligned columns under their names; `empty` when there are none. */
export function tableOf<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  empty: string,
): string {
  if (rows.length === 0) return empty
  const cells = rows.map((row) => columns.map((column) => cellOf(row[column])))
  const widths = columns.map((column, position) =>
    Math.max(column.length, ...cells.map((line) => line[position].length)),
  )
  const lineOf = (line: readonly string[]) =>
    line
      .map((cell, position) => cell.padEnd(widths[position]))
      .join('  ')
      .trimEnd()
  return [lineOf(columns), ...cells.map(lineOf)].join('\n')
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number}`
}
