import { readFileSync } from 'node:fs'
import { linesOf, pathsBelow } from './sources.ts'

/** An expression that the project does not use, what to write instead, and where it counts. */
interface BannedWord {
  word: RegExp
  instead: string
  in?: RegExp
}

const CODE = /\.(ts|tsx|js)$/
const INDEX = /^(src|test)\/(index|gems\/(search|indexing))\//

export const BANNED_WORDS: readonly BannedWord[] = [
  { word: /(?<!yello)wish(?!list)/i, instead: '*Request, *Options or *Query' },
  { word: /\bmanners\b/i, instead: 'the thing itself: request id, ETag, deadline' },
  { word: /arrivals?\b/i, instead: 'on request, or the thing that arrives' },
  { word: /departures?\b/i, instead: 'on send; deviation' },
  { word: /\b[Tt]win(s|ned)?\b|[a-z]Twins?|TWIN/, instead: 'duplicate; the same route under v2' },
  { word: /\b(of|on|from|to|in) the inside\b/i, instead: 'private network' },
  { word: /\banew\b/i, instead: 'again' },
  { word: /\ball the same\b/i, instead: 'still, anyway' },
  { word: /\bwhoever\b/i, instead: 'a caller who, anyone who' },
  // "There is no stone", "is no longer" and "is no more than" are plain English.
  { word: /(?<!\b[Tt]?here )\bis no (?!longer\b|more\b|less\b)\w+/, instead: 'is not a …' },
  { word: /(?<!\b[Tt]?here )\bare no (?!longer\b|more\b|less\b)\w+/, instead: 'are not …' },
  { word: /\bso few\b/i, instead: 'few' },
  { word: /\b\w*Takings?\b|\btakings?(?= of\b|:|,|\))/, instead: 'Allocation' },
  { word: /giving_?back/i, instead: 'Restock' },
  { word: /\bkept[ -]?sets?\b/i, instead: 'bitmap cache' },
  { word: /\bWays\b|[a-z]Ways\b/, instead: 'fieldByFilter' },
  { word: /meetings?\b/i, instead: 'co-occurrence' },
  { word: /wakeable/i, instead: 'poller' },
  { word: /farewell/i, instead: 'signedOutReason' },
  { word: /\bRoom\b/, instead: 'Page', in: CODE },
  { word: /sift/i, instead: 'filter' },
  // `max_parallel_workers_per_gather` is a setting of PostgreSQL.
  { word: /(?<!per_)gather/i, instead: 'collect' },
  { word: /\b(meets?|met|meeting)\b|\bmeet(?=[A-Z])|[a-z]Meet/, instead: 'intersect', in: INDEX },
  { word: /\bAnswers\b/, instead: 'Returns' },
  { word: /\banswers (how|whether|what|those|which|where|if)\b/, instead: 'returns' },
  { word: /\bmust be a text\b/i, instead: 'must be a string' },
  { word: /\bstate of things\b/i, instead: 'current state' },
  { word: /\bwho is calling\b/i, instead: 'The token is missing' },
  { word: /\bin earnest\b/i, instead: 'in production' },
  { word: /\bfor want of\b/i, instead: 'without, because … is missing' },
]

/** Where people read: sources, tests, documents, help texts and the console. */
const FOLDERS = ['src', 'test', 'bench', 'console', 'bin', 'docs', 'migrations', '.ci']
const FILES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'vitest.config.ts',
]
const TEXT = /\.(ts|tsx|js|md|sql|css|html)$|^bin\/|^\.ci\//
/** Here the words are named, not used. */
const EXCLUDED = /^test\/structure\//

/** Every use of a banned word, as `path:line "word" (write: …)`. */
export function bannedWordsInUse(): string[] {
  return [...FOLDERS.flatMap(pathsBelow), ...FILES]
    .filter((path) => TEXT.test(path) && !EXCLUDED.test(path))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      const banned = BANNED_WORDS.filter((entry) => entry.in?.test(path) ?? true)
      // Most files have none of them, which one look at the whole text tells.
      const inText = banned.filter(({ word }) => word.test(text))
      const lines = inText.length > 0 ? linesOf(text) : []
      return [
        ...findIn(path, path, banned),
        ...lines.flatMap((line, index) => findIn(line, `${path}:${index + 1}`, inText)),
      ]
    })
}

function findIn(text: string, where: string, banned: readonly BannedWord[]): string[] {
  return banned.flatMap(({ word, instead }) => {
    const found = word.exec(text)
    return found ? [`${where} "${found[0]}" (write: ${instead})`] : []
  })
}
