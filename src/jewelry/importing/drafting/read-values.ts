import type { Medium } from '../../../database/tables/jewelry.ts'
import { decodeEntities } from '../../../feeds/reading/markup/entities.ts'
import { fold, isBlankWord } from '../../../feeds/values/spelling.ts'

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

/**
 * Reads the type of a piece, also from categories of a shop: of `Jewelry > Rings > Engagement,
 * Gifts` the first path that names a type counts, and its deepest level that does.
 */
export function readKind(text: string): PieceKind {
  const paths = text.split(/[,;|]/).map((path) => levelsOf(path).map(wordsIn))
  for (const levels of paths) {
    const at = levels.findLastIndex((level) => isKnownKind(kindOf(level)))
    if (at === -1) continue
    const kind = kindOf(levels[at])
    // `Rings > Engagement` names the sub type below the type.
    return { ...kind, sub_type: kind.sub_type ?? levels[at + 1] ?? null }
  }
  return kindOf(wordsIn(text))
}

/** `Rings > Engagement`, and `Default Category/Rings/Engagement`, but not `Wedding/Engagement`. */
function levelsOf(path: string): string[] {
  const isPath = /^\s*(?:default category|root|jewel(?:le)?ry)\s*\//i.test(path)
  return path.split(isPath || path.split('/').length > 2 ? /[>/]/ : '>')
}

function wordsIn(text: string): string {
  return text.toLowerCase().replaceAll(/[_/]+/g, ' ').replaceAll(/\s+/g, ' ').trim()
}

/** What belongs to a watch or to jewelry, but is none. */
const ACCESSORY = new RegExp(
  '\\bwatch (?:straps?|bands?|winders?|box(?:es)?|cases?|accessor(?:y|ies)|batter(?:y|ies))\\b|' +
    '\\bkey ?(?:rings?|chains?)\\b|' +
    '\\b(?:jewel(?:le)?ry|rings?|earrings?|necklaces?) (?:box(?:es)?|cleaners?|displays?|guards?|' +
    'sizers?|extenders?)\\b',
)

function kindOf(words: string): PieceKind {
  if (ACCESSORY.test(words)) return { type: 'jewelry', jewelry_type: words, sub_type: null }
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
  const clean = text.replaceAll(/^[\s\-–&]+|(?<![\s\-–&])[\s\-–&]+$/g, '').replaceAll(/\s+/g, ' ')
  return clean === '' ? null : (SINGULARS.get(clean) ?? clean)
}

/** `Earrings - Studs` are of the sub type of `Stud Earrings`. */
const SINGULARS = new Map([
  ['studs', 'stud'],
  ['hoops', 'hoop'],
])

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

const FRACTIONS = new Map([
  ['½', 0.5],
  ['1/2', 0.5],
  ['¼', 0.25],
  ['1/4', 0.25],
  ['¾', 0.75],
  ['3/4', 0.75],
])
const SIZE = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*(½|¼|¾|1\/2|1\/4|3\/4)?$/

/** What stands beside the number of a ring size. */
const SIZE_WORDS = /^(?:us|size)[\s:]+(?=\d)|(?<=[\d½¼¾])\s*us$/i

/** `6,5`, `US 6½` and `6 1/2` are the size 6.5, and `7.0` is 7; others stay as they are written. */
export function readSize(text: string): string {
  const [, whole, decimals = '', fraction = ''] = SIZE.exec(text.replace(SIZE_WORDS, '')) ?? []
  if (whole === undefined || (decimals !== '' && fraction !== '')) return text
  return String(Number(`${whole}.${decimals || 0}`) + (FRACTIONS.get(fraction) ?? 0))
}

/** `Lab Diamond`, `LGD`, `lab-created diamonds`. */
const GROWN_DIAMOND = /^(?:lgd|(?:lg|lab(?:[ -]?(?:grown|created))?) diamonds?)$/

/** A diamond that a column calls lab grown; other stones are called as before. */
export function grownDiamond(stone: string): string {
  return /^diamonds?$/.test(stone) ? 'lab grown diamond' : stone
}

/** Reads one stone or several, in lower case. */
export function readStones(text: string): string | string[] | null {
  if (isBlankWord(text)) return null
  const stones = text
    .toLowerCase()
    // First, because splitting takes the square of the spaces in a row.
    .replaceAll(/\s+/g, ' ')
    .split(/\s*(?:[,;|/+&]|\band\b)\s*/)
    .map((stone) => (GROWN_DIAMOND.test(stone.trim()) ? grownDiamond('diamond') : stone.trim()))
    .filter((stone) => stone !== '' && !/^(?:none|no stones?)$/.test(stone))
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

/** Whether a shop shows the product; `-1` is a draft. */
export function readPublished(text: string): boolean | undefined {
  // A product that is online is 1 in one kind of shop, and 2 where it is not.
  if (/^(-1|2|draft|private|pending|unpublished)$/i.test(text.trim())) return false
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
