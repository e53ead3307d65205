import type { Medium } from '../../database/tables/jewelry.ts'
import { decodeEntities } from '../../feeds/reading/markup/entities.ts'
import { fold, wordSet } from '../../feeds/values/spelling.ts'

/** A kind of piece: `Engagement Rings` is a ring of the sub type engagement. */
interface PieceKind {
  type: 'jewelry' | 'watch'
  jewelry_type: string
  sub_type: string | null
}

/** A noun, the type it means, and the sub type that it implies. */
const NOUNS: [noun: RegExp, jewelryType: string, subType: string | null][] = [
  [/\bear-?rings?\b/, 'earrings', null],
  [/\bstuds?\b/, 'earrings', 'stud'],
  [/\bhoops?\b/, 'earrings', 'hoop'],
  [/\brings?\b/, 'ring', null],
  [/\bnecklaces?\b/, 'necklace', null],
  [/\bbracelets?\b/, 'bracelet', null],
  [/\bpendants?\b/, 'pendant', null],
  [/\bbands?\b/, 'ring', 'band'],
  [/\bchains?\b/, 'necklace', 'chain'],
  [/\bbangles?\b/, 'bracelet', 'bangle'],
  [/\bbrooch(?:es)?\b/, 'brooch', null],
  [/\bcuff ?links?\b/, 'cufflinks', null],
]

export function readKind(text: string): PieceKind {
  const words = text.toLowerCase().replaceAll(/[_/]+/g, ' ').replaceAll(/\s+/g, ' ').trim()
  if (/\bwatch(es)?\b/.test(words)) {
    const rest = words.replace(/\b(wrist ?)?watch(es)?\b/, '')
    return { type: 'watch', jewelry_type: 'watch', sub_type: cleanSubType(rest) }
  }
  for (const [noun, jewelryType, subType] of NOUNS) {
    if (!noun.test(words)) continue
    const rest = cleanSubType(words.replace(noun, ''))
    // `wedding band` is a sub type as a whole, unlike the `engagement` of an engagement ring.
    const named = rest && subType === 'band' ? `${rest} band` : (rest ?? subType)
    return { type: 'jewelry', jewelry_type: jewelryType, sub_type: named }
  }
  return { type: 'jewelry', jewelry_type: words, sub_type: null }
}

const KINDS: ReadonlySet<string> = new Set(['watch', ...NOUNS.map(([, type]) => type)])

/** Whether the market has a type of this name; others are listed as they are written. */
export function isKnownKind({ jewelry_type }: PieceKind): boolean {
  return KINDS.has(jewelry_type)
}

function cleanSubType(text: string): string | null {
  const clean = text.replaceAll(/^[\s\-–&]+|[\s\-–&]+$/g, '').replaceAll(/\s+/g, ' ')
  return clean === '' ? null : clean
}

/** Returns the attribute for the sub type of a piece. */
export function subTypeKeyOf(jewelryType: string): string | null {
  return SUB_TYPE_KEYS.get(jewelryType) ?? null
}

const SUB_TYPE_KEYS = new Map([
  ['ring', 'ring_sub_type'],
  ['earrings', 'earring_sub_type'],
  ['necklace', 'necklace_sub_type'],
  ['bracelet', 'bracelet_sub_type'],
  ['pendant', 'pendant_sub_type'],
  ['watch', 'watch_type'],
])

/** `Yellow Gold` and `18` are `18k yellow gold`; `Silver` and `925` are `sterling silver`. */
export function readMetal(material: string | undefined, karat: string | undefined): string | null {
  const metal = (material ?? '').toLowerCase().replaceAll(/\s+/g, ' ').trim()
  if (metal === '') return null
  const purity = /\d+(\.\d+)?/.exec(karat ?? '')?.[0]
  const hasPurity = /\d/.test(metal)
  if (/silver/.test(metal) && (purity === undefined || purity === '925')) {
    return metal === 'silver' || metal === 'silver 925' ? 'sterling silver' : metal
  }
  const spelled = metal.replace(/\b(\d{1,2})\s*(kt|ct|karat|carat|k)\b/, '$1k')
  if (purity === undefined || hasPurity) return spelled
  if (/gold/.test(spelled) && Number(purity) <= 24) return `${Number(purity)}k ${spelled}`
  return `${spelled} ${purity}`
}

/** Reads one stone or several, in lower case. */
export function readStones(text: string): string | string[] | null {
  const stones = text
    .toLowerCase()
    // First, because splitting takes the square of the spaces in a row.
    .replaceAll(/\s+/g, ' ')
    .split(/\s*(?:[,;|/+&]|\band\b)\s*/)
    .map((stone) => stone.trim())
    .filter((stone) => stone !== '' && stone !== 'none' && stone !== 'no stone')
  const different = [...new Set(stones)]
  if (different.length === 0) return null
  return different.length === 1 ? different[0] : different
}

/** Reads the addresses in a cell; a bare file name is ignored because it cannot be shown. */
export function readMedia(text: string, kind: Medium['kind']): Medium[] {
  const addresses = text
    .split(/[\s|;]+|,(?=\s*https?:)/)
    .filter((part) => /^https?:\/\/\S+$/i.test(part))
  return addresses.map((url) => ({ kind: VIDEO.test(url) ? 'video' : kind, url }))
}

const VIDEO = /\.(mp4|mov|webm|m4v|m3u8)(\?|$)/i

/** Returns whether the supplier can deliver it; undefined for an unknown word. */
export function readAvailability(text: string): boolean | undefined {
  const word = fold(text)
  if (IN_STOCK.has(word)) return true
  return OUT_OF_STOCK.has(word) ? false : undefined
}

const IN_STOCK = wordSet(`
  INSTOCK AVAILABLE ACTIVE
  G GA GUARANTEED GUARANTEEDAVAILABLE GUARANTEEDAVAILABILITY YES Y TRUE 1 NEW STPS
  SUBJECTTOPRIORSALE
`)
const OUT_OF_STOCK = wordSet(`
  OUTOFSTOCK DRAFT ARCHIVED UNLISTED BACKORDER ONBACKORDER
  SOLDOUT SOLD NA N NO NOTAVAILABLE UNAVAILABLE FALSE 0 MEMO M ONMEMO OUTONMEMO
`)

/** Whether a shop shows the product; `-1` is a draft. */
export function readPublished(text: string): boolean | undefined {
  if (/^(-1|draft|private|pending|unpublished)$/i.test(text.trim())) return false
  return /^published$/i.test(text.trim()) ? true : readYesNo(text)
}

export function readYesNo(text: string): boolean | undefined {
  const word = fold(text)
  if (['YES', 'Y', 'TRUE', '1'].includes(word)) return true
  return ['NO', 'N', 'FALSE', '0'].includes(word) ? false : undefined
}

const TAG = /<\/?[a-z][^<>]*>|<!--/i
const BREAK = /<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^<>]*>/gi

/** The text of a description, which shops write as HTML. */
export function plainText(text: string): string {
  if (!TAG.test(text)) return text
  const lines = text
    .replaceAll(/<(style|script)\b[^<>]*>[^<]*<\/\1>/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(BREAK, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .split('\n')
  const clean = lines.map((line) => decodeEntities(line).replaceAll(/\s+/g, ' ').trim())
  return clean.filter((line) => line !== '').join('\n')
}
