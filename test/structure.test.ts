import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importCircles } from './structure/circles.ts'
import { unusedExports } from './structure/exports.ts'
import { longFunctions } from './structure/functions.ts'
import { lookupsOnPlainObjects } from './structure/lookups.ts'
import { missingFiles } from './structure/paths.ts'
import { type Source, sourcesBelow } from './structure/sources.ts'
import { bannedWordsInUse } from './structure/words.ts'

/**
 * The house rules that a machine can hold: layers, sizes, exports, words, and who reads the
 * environment.
 */

const FILE_LINES_MAX = 300
const LINE_COLUMNS_MAX = 100
const FUNCTION_LINES_MAX = 70
const FOLDER_ENTRIES_MAX = 20
const SMALL_FILE_LINES = 25
const SMALL_FILES_MAX = 25
/** Reading the types of all sources, on a busy machine. */
const TYPES_MS_MAX = 600_000
const MEDIAN_LINES = { min: 80, max: 110 }

/** The rooms, and one file for each schema and for each command: lists that are read by name. */
const LONGER_FOLDERS: Record<string, number> = { src: 24, 'src/http/schemas': 25, 'src/cli': 24 }

const BELOW_DOMAINS = [
  'lib',
  'reference',
  'index',
  'database',
  'audit',
  'events',
  'merchants',
  'pricing',
]
const DOMAINS = [
  'gems',
  'feeds',
  'jewelry',
  'orders',
  'market-feed',
  'notices',
  'people',
  'saved-searches',
]

/** What each room may import. A room may always import itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  reference: ['lib'],
  pictures: ['lib', 'reference'],
  documents: ['lib', 'reference'],
  index: ['lib'],
  database: ['lib', 'reference'],
  audit: ['lib', 'reference', 'database'],
  events: ['lib', 'reference', 'database', 'audit'],
  merchants: ['lib', 'reference', 'database', 'audit'],
  people: ['lib', 'reference', 'database', 'audit', 'merchants'],
  pricing: ['lib', 'reference', 'database', 'audit', 'events', 'merchants'],
  gems: BELOW_DOMAINS,
  feeds: [...BELOW_DOMAINS, 'gems'],
  jewelry: [...BELOW_DOMAINS, 'gems', 'feeds'],
  orders: [...BELOW_DOMAINS, 'gems', 'jewelry', 'documents'],
  notices: ['lib', 'reference', 'database', 'audit', 'events'],
  'market-feed': [...BELOW_DOMAINS, 'gems', 'jewelry'],
  'saved-searches': [...BELOW_DOMAINS, 'gems'],
  demo: [...BELOW_DOMAINS, ...DOMAINS, 'pictures'],
  http: [...BELOW_DOMAINS, ...DOMAINS, 'pictures', 'documents', 'version.ts'],
  cli: [...BELOW_DOMAINS, ...DOMAINS, 'documents', 'demo', 'http', 'config.ts', 'version.ts'],
  'config.ts': ['lib'],
  'version.ts': [],
}

const src = sourcesBelow('src')
const consoleSrc = sourcesBelow('console/src')
const clientSrc = sourcesBelow('client/src')
const test = sourcesBelow('test')
const bench = sourcesBelow('bench')
const product = [...src, ...consoleSrc, ...clientSrc, ...sourcesBelow('bin')]
const everything = [...product, ...test, ...bench]

function roomOf(path: string): string {
  return path.split('/')[1]
}

describe('the layers', () => {
  it('point one way', () => {
    const crossings = src.flatMap(({ path, imports }) => {
      const room = roomOf(path)
      return imports
        .filter(({ target }) => {
          const other = target.startsWith('src/') ? roomOf(target) : target
          return other !== room && !(MAY_IMPORT[room] ?? []).includes(other)
        })
        .map(({ target }) => `${path} imports ${target}`)
    })
    expect(crossings, 'MAY_IMPORT says what each room may import').toEqual([])
  })

  it('contain no circle of imports, types included', () => {
    const circles = importCircles([...src, ...consoleSrc, ...clientSrc])
    expect(circles, 'move what both need into a file below both').toEqual([])
  })

  it('leave the environment to config.ts', () => {
    const readers = src.filter(({ text }) => text.includes('process.env'))
    expect(readers.map(({ path }) => path)).toEqual(['src/config.ts'])
  })

  it('ask the market for the time', () => {
    const askers = src.flatMap(({ path, lines }) =>
      path in OWN_CLOCK
        ? []
        : lines.flatMap((line, index) => (OTHER_CLOCKS.test(line) ? [`${path}:${index + 1}`] : [])),
    )
    const hint = 'a rule asks Clock.now() or market_now(), a duration is two performance.now()'
    expect(askers, hint).toEqual([])
    expect(timesOfDatabase(), 'a default is market_now() or market_clock()').toEqual([])
  })

  it('leave the client alone: it imports nothing but itself', () => {
    const foreign = clientSrc.flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) =>
        target.startsWith('client/src/') ? [] : [`${path} ${target}`],
      ),
    )
    expect(foreign).toEqual([])
  })

  it('export nothing that nobody imports', () => {
    const unused = unusedExports(src, everything, ENTRY_POINTS)
    expect(unused, 'drop the word export, or the function').toEqual([])
  })
})

/**
 * The clock of this machine, and PostgreSQL's: both are not the market's, by which holds, memos and
 * tokens end, and which can be moved in a sandbox.
 */
const OTHER_CLOCKS =
  /Date\.now\b|new Date\(\)|(?<![.\w])now\(\)|\b(clock_timestamp|statement_timestamp|current_timestamp|current_date|localtimestamp)\b/

/** Files that may use another clock, with the reason. */
const OWN_CLOCK: Record<string, string> = {
  'src/database/clock.ts': 'it is the clock',
  'src/cli/events/forward-events.ts': 'the time of a receiver cannot be moved',
  'src/lib/uuid.ts': 'the time in an identifier decides nothing',
  'src/events/webhook-delivery-store.ts': 'the time of a receiver cannot be moved',
  'src/notices/outbox/mail-store.ts': 'the time of a mail server cannot be moved',
  'src/notices/mailing/recipient-store.ts': 'the time of a reader cannot be moved',
}

/** Where the schema asks PostgreSQL's clock instead of the market's. */
function timesOfDatabase(): string[] {
  const schema = readFileSync('migrations/schema.sql', 'utf8')
  const statements = schema.split(/(?=^create )/im)
  return statements
    .filter((statement) => OTHER_CLOCKS.test(statement))
    .map((statement) => statement.split('\n')[0])
    .filter((line) => !/FUNCTION public\.market_|table webhook_(delivery|attempt) /.test(line))
}

/** Used from outside of TypeScript: by bin/pavilion, and through WebAssembly. */
const ENTRY_POINTS = [
  'src/cli/main.ts',
  'src/index/kernel/assembly/bitmaps.ts',
  'src/index/kernel/assembly/rows.ts',
]

describe('the folders', () => {
  it(`have at most ${FOLDER_ENTRIES_MAX} entries`, () => {
    const folders = new Set(src.flatMap(({ path }) => foldersOf(path)))
    const full = [...folders]
      .map((folder) => ({ folder, entries: readdirSync(folder).length }))
      .filter(({ folder, entries }) => entries > (LONGER_FOLDERS[folder] ?? FOLDER_ENTRIES_MAX))
      .map(({ folder, entries }) => `${folder}: ${entries} entries`)
    expect(full, 'a prefix that five files share is a folder').toEqual([])
  })

  it('leave no test outside of them', () => {
    const flat = test.filter(({ path }) => path.split('/').length === 2)
    expect(flat.map(({ path }) => path)).toEqual(['test/structure.test.ts'])
  })
})

/** `src/gems` and `src/gems/search` for `src/gems/search/plan.ts`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

describe('the sizes', () => {
  it(`keep files within ${FILE_LINES_MAX} lines`, () => {
    const long = [...product, ...bench].filter(({ lines }) => lines.length > FILE_LINES_MAX)
    expect(long.map(withLength), 'split a file that has two subjects').toEqual([])
  })

  it(`keep lines within ${LINE_COLUMNS_MAX} columns`, () => {
    const wide = [...product, ...bench].flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        Array.from(line).length > LINE_COLUMNS_MAX ? [`${path}:${index + 1}: ${line.length}`] : [],
      ),
    )
    expect(wide, 'the formatter breaks code; break comments and texts by hand').toEqual([])
  })

  it(`keep functions within ${FUNCTION_LINES_MAX} lines`, () => {
    const long = src.flatMap((source) => longFunctions(source, FUNCTION_LINES_MAX))
    expect(long, 'give a part of it a name').toEqual([])
  })

  it(`keep functions of the console, the client and the benches as short`, () => {
    const sources = [...consoleSrc, ...clientSrc, ...bench]
    const long = sources.flatMap((source) => longFunctions(source, FUNCTION_LINES_MAX))
    expect(long, 'give a part of it a name').toEqual([])
  })

  it(`allow ${SMALL_FILES_MAX} files under ${SMALL_FILE_LINES} lines`, () => {
    const small = src.filter(({ lines }) => lines.length < SMALL_FILE_LINES).map(withLength)
    expect(
      small.length,
      `merge what only a neighbour imports:\n${small.join('\n')}`,
    ).toBeLessThanOrEqual(SMALL_FILES_MAX)
  })

  it(`have a median of ${MEDIAN_LINES.min} to ${MEDIAN_LINES.max} lines`, () => {
    const sizes = src.map(({ lines }) => lines.length).sort((a, b) => a - b)
    const median = sizes[Math.floor(sizes.length / 2)]
    expect(median).toBeGreaterThanOrEqual(MEDIAN_LINES.min)
    expect(median).toBeLessThanOrEqual(MEDIAN_LINES.max)
  })
})

function withLength({ path, lines }: Source): string {
  return `${path}: ${lines.length} lines`
}

/** What must not stand in the sources; here the words are only searched for. */
const MARKS = /\bas any\b|: any\b|\bTODO\b|\bFIXME\b|@ts-ignore/

/** None of these is changed by a request. */
const MODULE_VARIABLES = [
  // The WebAssembly module is compiled once in a process.
  'src/index/kernel/kernel.ts compiled',
  // The script of a worker process, which has one state from start to end.
  'src/cli/serve/worker.ts lastId',
  'src/cli/serve/worker.ts listeners',
  // A line of the script that is sent to the browser.
  'src/http/pictures/viewer.ts from',
]

describe('the code', () => {
  it('has no type escape and no mark of unfinished work', () => {
    const marks = [...src, ...consoleSrc, ...clientSrc].flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => (MARKS.test(line) ? [`${path}:${index + 1}`] : [])),
    )
    expect(marks).toEqual([])
  })

  it('keeps no variable at module level', () => {
    const variables = src.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?let (\w+)/gm)].map(([, name]) => `${path} ${name}`),
    )
    const unexpected = variables.filter((variable) => !MODULE_VARIABLES.includes(variable))
    expect(unexpected, 'pass the state in an argument').toEqual([])
  })

  it('asks no plain object for a name from outside', { timeout: TYPES_MS_MAX }, () => {
    const hint = 'use a Map or Object.hasOwn, or give the reason in test/structure/lookups.ts'
    expect(lookupsOnPlainObjects('src'), hint).toEqual([])
  })

  it('uses no coined word', () => {
    expect(bannedWordsInUse(), 'test/structure/words.ts says what to write instead').toEqual([])
  })
})

describe('the documents', () => {
  it('name files that exist', () => {
    expect(missingFiles(), 'a file was moved or renamed').toEqual([])
  })
})
