import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The house rules that a machine can hold: layers, sizes, and who reads the environment. */
const SRC = resolve('src')
const FILE_LINES_MAX = 300
const FUNCTION_LINES_MAX = 70

const BELOW_DOMAINS = ['lib', 'reference', 'index', 'database', 'events', 'merchants', 'pricing']
const DOMAINS = ['gems', 'feeds', 'jewelry', 'orders']

/** What each room may import. A room may always import itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  reference: ['lib'],
  pictures: ['lib', 'reference'],
  index: ['lib'],
  database: ['lib', 'reference'],
  events: ['lib', 'database'],
  merchants: ['lib', 'reference', 'database'],
  pricing: ['lib', 'reference', 'database', 'events', 'merchants'],
  gems: ['lib', 'reference', 'database', 'events', 'index', 'merchants', 'pricing'],
  feeds: [...BELOW_DOMAINS, 'gems'],
  jewelry: [...BELOW_DOMAINS, 'gems', 'feeds'],
  orders: [...BELOW_DOMAINS, 'gems', 'jewelry'],
  demo: [...BELOW_DOMAINS, ...DOMAINS, 'pictures'],
  http: [...BELOW_DOMAINS, ...DOMAINS, 'pictures', 'version.ts'],
  cli: [...BELOW_DOMAINS, ...DOMAINS, 'demo', 'http', 'config.ts', 'version.ts'],
  'config.ts': ['lib'],
  'version.ts': [],
}

const files = filesBelow(SRC).filter((path) => path.endsWith('.ts'))

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

function roomOf(path: string): string {
  return relative(SRC, path).split('/')[0]
}

describe('the layers', () => {
  it('point one way', () => {
    const crossings = files.flatMap((path) => {
      const room = roomOf(path)
      const imports = readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)
      return [...imports]
        .map(([, target]) => roomOf(resolve(dirname(path), target)))
        .filter((target) => target !== room && !(MAY_IMPORT[room] ?? []).includes(target))
        .map((target) => `${relative(SRC, path)} imports ${target}`)
    })
    expect(crossings).toEqual([])
  })

  it('leave the environment to config.ts', () => {
    const readers = files.filter((path) => /process\.env/.test(readFileSync(path, 'utf8')))
    expect(readers.map((path) => relative(SRC, path))).toEqual(['config.ts'])
  })
})

describe('the sizes', () => {
  it(`keep files within ${FILE_LINES_MAX} lines of 100 columns`, () => {
    const long = files
      .map((path) => [relative(SRC, path), readFileSync(path, 'utf8').split('\n')] as const)
      .filter(([, lines]) => lines.length - 1 > FILE_LINES_MAX)
      .map(([path, lines]) => `${path}: ${lines.length - 1}`)
    expect(long).toEqual([])
  })

  it(`keep functions within ${FUNCTION_LINES_MAX} lines`, () => {
    expect(files.flatMap(longFunctions)).toEqual([])
  })
})

/** Top-level functions end at the first closing brace in the first column. */
function longFunctions(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, start) => {
    const match = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)
    if (!match || ROUTE_LISTS.test(match[1])) return []
    const length = lines.slice(start).findIndex((candidate) => candidate.startsWith('}')) + 1
    return length > FUNCTION_LINES_MAX ? [`${relative(SRC, path)} ${match[1]}: ${length}`] : []
  })
}

/** A list of route declarations is data; it is read from top to bottom like a table. */
const ROUTE_LISTS = /^register/

/** What must not stand in the sources; here the words are only looked for. */
const MARKS = /\bas any\b|: any\b|\bTODO\b|\bFIXME\b|@ts-ignore/

describe('the code', () => {
  it('has no type escape and no mark of unfinished work', () => {
    const marks = files.flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          MARKS.test(line) ? [`${relative(SRC, path)}:${index + 1}`] : [],
        ),
    )
    expect(marks).toEqual([])
  })
})
