import type { Source } from './sources.ts'

/**
 * The circles among the imports, one for each group of files that reach each other, written as
 * `a.ts → b.ts → a.ts`. An import of a type counts: a reader has to follow it, too.
 */
export function importCircles(sources: readonly Source[]): string[] {
  const targets = new Map(
    sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]),
  )
  const seen = new Set<string>()
  return sources.flatMap(({ path }) => {
    if (seen.has(path)) return []
    const circle = shortestCircle(path, targets)
    if (circle === undefined) return []
    for (const member of circle) seen.add(member)
    return [circle.join(' → ')]
  })
}

/** Breadth first from a file back to itself. */
function shortestCircle(
  start: string,
  targets: ReadonlyMap<string, readonly string[]>,
): string[] | undefined {
  const from = new Map<string, string>()
  const queue = [start]
  for (const path of queue) {
    for (const target of targets.get(path) ?? []) {
      if (target === start) return [...pathBack(path, from), start]
      if (from.has(target)) continue
      from.set(target, path)
      queue.push(target)
    }
  }
  return undefined
}

function pathBack(path: string, from: ReadonlyMap<string, string>): string[] {
  const before = from.get(path)
  return before === undefined ? [path] : [...pathBack(before, from), path]
}
