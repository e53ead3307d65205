import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A page of `docs/` or the changelog, which the server shows at `/docs/<subject>`. */
export interface Guide {
  subject: string
  title: string
  /** The first sentence, which says what the page is for. */
  summary: string
  markdown: string
  /** Guides are for integrators; the other pages are for the operator. */
  isGuide: boolean
}

/** The guides in the order in which they are read. Others follow by their names. */
const READING_ORDER = [
  'start',
  'authentication',
  'search',
  'curated-search',
  'saved-searches',
  'watch-list',
  'orders',
  'holds-and-quotes',
  'returns',
  'sync',
  'webhooks',
  'errors',
  'rate-limits',
  'sandbox',
  'client',
  'agents',
  'shop-window',
  'shares',
  'versions',
]

/** Below dist/ and below src/ this file is equally deep. */
export const DOCS = fileURLToPath(new URL('../../../../docs/', import.meta.url))

/** Reads every page, the guides first. A page of both folders would have one address: refused. */
export function readGuides(): Map<string, Guide> {
  const guides = pagesIn(join(DOCS, 'guides'), true).sort(
    (a, b) => positionOf(a) - positionOf(b) || a.subject.localeCompare(b.subject),
  )
  const pages = new Map<string, Guide>()
  for (const page of [...guides, ...changelogBeside(), ...pagesIn(DOCS, false)]) {
    if (pages.has(page.subject)) throw new Error(`two pages are named ${page.subject}`)
    pages.set(page.subject, page)
  }
  return pages
}

function positionOf({ subject }: Guide): number {
  const position = READING_ORDER.indexOf(subject)
  return position === -1 ? READING_ORDER.length : position
}

function pagesIn(folder: string, isGuide: boolean): Guide[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => pageOf(join(folder, name), isGuide))
}

/** The changelog is beside `docs/`; an installation may come without it. */
function changelogBeside(): Guide[] {
  const path = join(DOCS, '../CHANGELOG.md')
  return existsSync(path) ? [pageOf(path, true)] : []
}

function pageOf(path: string, isGuide: boolean): Guide {
  const markdown = readFileSync(path, 'utf8')
  const [heading = '', first = ''] = markdown.split(/\n{2,}/)
  const title = heading.replace(/^# /, '')
  const subject = basename(path, '.md').toLowerCase()
  return { subject, title, summary: firstSentence(first), markdown, isGuide }
}

/** The first sentence of a paragraph, without the marks of Markdown. */
function firstSentence(paragraph: string): string {
  const text = paragraph
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[*`]/g, '')
  return /^.*?[.:](?= [A-Z]|$)/.exec(text)?.[0] ?? text
}
