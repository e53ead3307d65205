import type { Source } from './sources.ts'

const START =
  /^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?\(.*=> \{$)/

/** A list of route declarations is data; it is read from top to bottom like a table. */
const ROUTE_LISTS = /^register/

/** Top-level functions that are too long, as `path name: lines`. */
export function longFunctions({ path, lines }: Source, linesMax: number): string[] {
  return lines.flatMap((line, start) => {
    const match = START.exec(line)
    const name = match?.[1] ?? match?.[2]
    if (name === undefined || ROUTE_LISTS.test(name)) return []
    // The formatter puts the closing brace of a top-level function into the first column.
    const length = lines.slice(start).findIndex((candidate) => candidate.startsWith('}')) + 1
    return length > linesMax ? [`${path} ${name}: ${length} lines`] : []
  })
}
