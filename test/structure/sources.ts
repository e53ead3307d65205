import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'

/** A file of the repository, read once. Its path is relative to the root: `src/lib/money.ts`. */
export interface Source {
  path: string
  text: string
  lines: readonly string[]
  imports: readonly Import[]
}

/** One import of a file of our own. `names` is 'all' where no single names are listed. */
export interface Import {
  target: string
  names: readonly string[] | 'all'
}

const CODE = /\.(ts|tsx|js)$/
const SKIPPED = /^(node_modules|dist|\.pavilion|\.build-.*)$/

/** Imports and re-exports, on one line or on several; types count like values. */
const STATEMENT =
  /^(?:import|export)\s+(?:type\s+)?(?:\w+\s*,?\s*)?(?:\{([^}]*)\}|(\*)(?:\s+as\s+\w+)?)?\s*from\s+'(\.[^']+)'/gm
const SIDE_EFFECT = /^import\s+'(\.[^']+)'/gm
const DYNAMIC =
  /(?:(?:const|let)\s+\{([^}]*)\}\s*=\s*await\s+)?\bimport\(\s*'(\.[^']+)',?\s*\)(?:\)?\.(\w+))?/g

export function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? pathsBelow(path) : [path]
  })
}

/** The TypeScript and JavaScript files below a folder, with the imports of each. */
export function sourcesBelow(folder: string): Source[] {
  return pathsBelow(folder)
    .filter((path) => CODE.test(path))
    .map((path) => {
      const text = readFileSync(path, 'utf8')
      return { path, text, lines: linesOf(text), imports: importsOf(path, text) }
    })
}

export function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

function importsOf(path: string, text: string): Import[] {
  // AssemblyScript imports without an extension.
  const targetOf = (specifier: string) =>
    relative('.', resolve(dirname(path), extname(specifier) ? specifier : `${specifier}.ts`))
  const statements = [...text.matchAll(STATEMENT)].map(([, list, star, specifier]) => ({
    target: targetOf(specifier),
    names: star ? ('all' as const) : namesIn(list ?? ''),
  }))
  const sideEffects = [...text.matchAll(SIDE_EFFECT)].map(([, specifier]) => ({
    target: targetOf(specifier),
    names: [],
  }))
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, list, specifier, member]) => ({
    target: targetOf(specifier),
    names: list ? namesIn(list) : member && member !== 'then' ? [member] : ('all' as const),
  }))
  return [...statements, ...sideEffects, ...dynamic]
}

/** The imported names in `a, type B, c as d` or, of a dynamic import, in `a, c: d`. */
export function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim().replace(/^type\s+/, ''))
    .map((entry) => entry.split(/\s+as\s+|\s*:\s*/)[0])
    .filter((name) => name !== '')
}
