import { namesIn, type Source } from './sources.ts'

const DECLARED =
  /^export\s+(?:declare\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type)\s+(\w+)/gm
const LISTED = /^export\s+(?:type\s+)?\{([^}]*)\}/gm

/** The exports of `sources` that none of `importers` imports, as `path name`. */
export function unusedExports(
  sources: readonly Source[],
  importers: readonly Source[],
  entryPoints: readonly string[],
): string[] {
  const used = usedNames(importers)
  return sources
    .filter(({ path }) => !entryPoints.includes(path))
    .flatMap(({ path, text }) => {
      const names = used.get(path)
      if (names === 'all') return []
      return exportedNames(text)
        .filter((name) => !names?.has(name))
        .map((name) => `${path} ${name}`)
    })
}

function usedNames(importers: readonly Source[]): Map<string, Set<string> | 'all'> {
  const used = new Map<string, Set<string> | 'all'>()
  for (const { target, names } of importers.flatMap(({ imports }) => imports)) {
    const known = used.get(target) ?? new Set<string>()
    if (known === 'all' || names === 'all') used.set(target, 'all')
    else used.set(target, new Set([...known, ...names]))
  }
  return used
}

function exportedNames(text: string): string[] {
  const declared = [...text.matchAll(DECLARED)].map(([, name]) => name)
  const listed = [...text.matchAll(LISTED)].flatMap(([, list]) =>
    // The name outside is the one after `as`.
    namesIn(list.replace(/\w+\s+as\s+/g, '')),
  )
  return [...declared, ...listed]
}
