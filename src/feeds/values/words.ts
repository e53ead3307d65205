import { LABS, type Lab } from '../../reference/attributes.ts'
import { cached, fold, isBlankWord, wordSet } from './spelling.ts'

interface LabReading {
  lab: Lab | null
  /** As the feed writes it. */
  lab_name: string | null
  /** A certificate number from the same cell: `GIA 2141438171`. */
  cert_num: string | null
}

const NO_LAB = wordSet(`
  0 N NO NONE NA NC NOCERT NOLAB UNCERTIFIED NONCERT NONCERTIFIED NOTCERTIFIED NOCERTIFICATE
  NULL WITHOUTCERT
`)

export const readLab = cached((text: string): LabReading => {
  const code = fold(text)
  if (code === '' || NO_LAB.has(code)) return { lab: null, lab_name: null, cert_num: null }
  const number = /\b(?:LG)?\d{6,12}\b/i.exec(text)?.[0] ?? null
  const labs = LABS.filter((name) => code === name || labToken(text, name))
  // Of two laboratories in one cell, it is not said which number is whose.
  const lab = labs.length === 1 ? labs[0] : null
  return { lab, lab_name: labNameIn(text, number), cert_num: number }
})

const LAB_NAME_CHARS_MAX = 60

/** The name without the number, which would make as many laboratories as stones. */
function labNameIn(text: string, number: string | null): string | null {
  const name = number === null ? text : text.replace(number, ' ').replaceAll(/[\s#:-]+$/g, '')
  return name.trim().slice(0, LAB_NAME_CHARS_MAX) || null
}

/** Returns whether the lab's name is a word of the text; `G.I.A.` is one too. */
function labToken(text: string, name: Lab): boolean {
  const words = text
    .toUpperCase()
    .replaceAll('.', '')
    .split(/[^A-Z]+/)
  return words.includes(name)
}

/** A spreadsheet wrote a long number as `2.21E+09`, and its digits are lost. */
export function isDamagedNumber(text: string): boolean {
  return /^\d(\.\d+)?E\+\d+$/i.test(text)
}

const CERTIFICATE_CHARS_MIN = 3

/** Reads a certificate number as text; undefined when a spreadsheet has rounded it. */
export function readCertNum(text: string): string | undefined {
  const trimmed = text
    .trim()
    .replace(/^(?:GIA|IGI|GCAL|HRD|AGS)(?:[\s#:-]+|(?=(?:LG)?\d{6}))/i, '')
    .replace(/^[#'`]+/, '')
  if (trimmed === '' || /^(0+|-+|N\/?A|NONE|NO|NULL|NO ?CERT|NON ?CERT)$/i.test(trimmed)) {
    return undefined
  }
  if (isDamagedNumber(trimmed)) return undefined
  // Every certificate has digits, and more than two characters.
  if (trimmed.length < CERTIFICATE_CHARS_MIN || trimmed.length > 60 || !/\d/.test(trimmed)) {
    return undefined
  }
  return trimmed.replace(/^(\d+)\.0+$/, '$1')
}

/** Two numbers of a pair in one cell, `2141438171 / 2141438172`; one number otherwise. */
export function readCertNums(text: string): (string | undefined)[] {
  const parts = PAIR_SIGN.test(text) ? text.split(PAIR_SIGN) : []
  const numbers = parts.map((part) => readCertNum(part))
  const isPair = numbers.length === 2 && numbers.every((each) => each && LONG_NUMBER.test(each))
  return isPair ? numbers : [readCertNum(text)]
}

const PAIR_SIGN = /\s*[/,;&|+]\s*|\s+(?:and\s+)?(?=(?:GIA|IGI|LG)?\s?\d{6})/i
const LONG_NUMBER = /\d{6}/

const GROWN = wordSet(`
  LG LGD LAB LABGROWN LABGROWNDIAMOND LABGROWNDIAMONDS LABCREATED LABDIAMOND CREATED SYNTHETIC
  GROWN MANMADE CVD HPHT LABORATORYGROWN L
`)
const MINED = /^(NATURAL|MINED|NAT|NATURALDIAMOND|NATURALDIAMONDS|EARTHMINED|EARTH|NDIAMOND|REAL)$/

/** Returns whether the stone is lab grown; yes and no count as such. */
export const readGrown = cached((text: string): boolean | undefined => {
  const code = fold(text)
  if (GROWN.has(code) || /LABGROWN|LABCREATED|SYNTHETIC/.test(code)) return true
  if (MINED.test(code) || code.startsWith('NATURAL')) return false
  return readFlag(text)
})

export const readGrowMethod = cached((text: string): 'CVD' | 'HPHT' | undefined => {
  const code = fold(text)
  if (/CVD|CHEMICALVAPOU?R/.test(code)) return 'CVD'
  if (/HPHT|HIGHPRESSURE/.test(code)) return 'HPHT'
  return undefined
})

const YES = /^(Y|YES|T|TRUE|1|OK|X|ALLOWED|ACCEPTED)$/
const NO = /^(N|NO|F|FALSE|0|NONE|NOT|NOTALLOWED)$/

export const readFlag = cached((text: string): boolean | undefined => {
  const code = fold(text)
  return YES.test(code) ? true : NO.test(code) ? false : undefined
})

const OFF_MARKET = wordSet(`
  NA N NO NOTAVAILABLE UNAVAILABLE SOLD SOLDOUT OUTOFSTOCK M MEMO ONMEMO OUTONMEMO MEMOOUT
  HOLD ONHOLD RESERVED BLOCKED FALSE 0 INACTIVE BUSY BUSINESSPROCESS BP NOTINSTOCK CONFIRMED
  DELETED OFFLINE INMEMO ISSUE HELD RESERVE BOOKED ORDERED INVOICED CONSIGNED ONCONSIGNMENT
  WITHDRAWN DISABLED NOTFORSALE LOST EXPIRED ISMEMO
`)
const ON_MARKET = wordSet(`
  G GA GUARANTEED GUARANTEEDAVAILABLE GUARANTEEDAVAILABILITY A AV AVL AVAIL AVAILABLE Y YES
  TRUE 1 NEW STPS SUBJECTTOPRIORSALE INSTOCK STOCK ACTIVE NOTSPECIFIED ONHAND OFFICE INHAND
  UPCOMING WEB LIVE ONLINE FORSALE READY UNSOLD NOTSOLD FREE AVAILABLENOW ONSTOCK NOTONHOLD
  NOTONMEMO NOHOLD PUBLISHED
`)

/** Returns whether the stone is on offer; undefined for an unknown word. */
export const readAvailability = cached((text: string): boolean | undefined => {
  const code = fold(text)
  if (code === '' || ON_MARKET.has(code)) return true
  if (OFF_MARKET.has(code)) return false
  // `On hold for a client`, `SOLD 12/3`, `Memo out`: a first word that can mean nothing else.
  return /^(SOLD|HOLD|ONHOLD|ONMEMO|OUTONMEMO|MEMOOUT|RESERVED|NOTAVAIL)/.test(code)
    ? false
    : undefined
})

/** Returns whether a column about sales, such as `Is Sold Out` or `Hold`, takes the stone off. */
export const isTaken = cached((text: string): boolean => {
  if (isBlankWord(text)) return false
  const flag = readFlag(text)
  if (flag !== undefined) return flag
  return !ON_MARKET.has(fold(text))
})

export const readEyeClean = cached((text: string): 'yes' | 'borderline' | 'no' | undefined => {
  const code = fold(text)
  if (/^(Y|YES|TRUE|1|EYECLEAN|CLEAN|EC|100|100EYECLEAN|E|E0)$/.test(code)) return 'yes'
  if (/^(B|BORDERLINE|ALMOST|NEARLY|MOSTLY|BORDER|SLIGHTLY|90)$/.test(code)) return 'borderline'
  if (/^(N|NO|FALSE|0|NOTEYECLEAN|NOTCLEAN|NOTECLEAN|NEC)$/.test(code)) return 'no'
  return undefined
})

const URL_CHARS_MAX = 2_048

/** Returns a link that a browser can open; a bare file name gives undefined. */
export function readUrl(text: string): string | undefined {
  const trimmed = text.trim()
  const url = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
  if (!/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(url) || url.length > URL_CHARS_MAX) return undefined
  return url
}

const UNTREATED = wordSet(`
  N NO NONE NIL NA UNTREATED NOTREATMENT NATURAL 0 FALSE NOTTREATED NOTENHANCED ASGROWN
  NOENHANCEMENT NOTSPECIFIED
`)

/** Returns the treatment of a stone, or undefined when it is untreated or unknown. */
export const readTreatment = cached((text: string): string | undefined => {
  const code = fold(text)
  return code === '' || UNTREATED.has(code) ? undefined : text.trim().slice(0, 120)
})

/** Returns the species of a gemstone in lower case; undefined for a diamond. */
export const readSpecies = cached((text: string): string | undefined => {
  const code = fold(text)
  if (isBlankWord(text) || /DIAMOND|^(NATURAL|LAB|LABGROWN|MINED|LG|NAT|D|N|Y|0|1)$/.test(code)) {
    return undefined
  }
  const word = text.trim().toLowerCase()
  return /^[\p{L}][\p{L} '-]{2,40}$/u.test(word) ? word : undefined
})

/** More than any supplier says about one stone. */
const DETAILS_CHARS_MAX = 4_000
/** What PostgreSQL does not store in JSON: NUL, and halves of a character. */
const UNSTORABLE = /\\u(0000|d[89a-f][0-9a-f]{2})/i

/** Reads a cell that holds a JSON object, as JSON; undefined when it holds anything else. */
export function readDetails(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const json = JSON.stringify(JSON.parse(text))
    return json.length > DETAILS_CHARS_MAX || UNSTORABLE.test(json) ? undefined : json
  } catch {
    return undefined
  }
}

/** The same, or words as one detail. */
export function readDetailsOrWords(text: string): string | undefined {
  if (text.startsWith('{')) return readDetails(text)
  return readDetails(JSON.stringify({ description: text }))
}
