import { LABS, type Lab } from '../../reference/attributes.ts'
import { fold, remember, saysNothing } from './spelling.ts'

export interface LabReading {
  lab: Lab | null
  /** The feed's own word when the lab is outside our list. */
  lab_original: string | null
  /** A certificate number that stood in the same cell: `GIA 2141438171`. */
  cert_num: string | null
}

const NO_LAB =
  /^(|0|N|NO|NONE|NA|NC|NOCERT|NOLAB|UNCERTIFIED|NONCERT|NONCERTIFIED|NOTCERTIFIED|NOCERTIFICATE|NULL|WITHOUTCERT)$/

export const readLab = remember((text: string): LabReading => {
  const code = fold(text)
  if (NO_LAB.test(code)) return { lab: null, lab_original: null, cert_num: null }
  const number = /\b(?:LG)?\d{6,12}\b/i.exec(text)?.[0] ?? null
  const lab = LABS.find((name) => code === name || labToken(text, name)) ?? null
  return { lab, lab_original: lab ? null : text.trim().slice(0, 60), cert_num: number }
})

/** The lab's name as a word of its own; `G.I.A.` is one too. */
function labToken(text: string, name: Lab): boolean {
  const words = text
    .toUpperCase()
    .replaceAll('.', '')
    .split(/[^A-Z]+/)
  return words.includes(name)
}

/** Whether a lab's name says that it grades grown stones: `IGI LG`, `GIA-LGD`. */
export function labSaysGrown(text: string): boolean {
  return /\bLGD?R?\b|LAB.?GROWN/i.test(text)
}

/** A spreadsheet has written a long number as `2.21E+09`: its digits are lost. */
export function isDamagedNumber(text: string): boolean {
  return /^\d(\.\d+)?E\+\d+$/i.test(text)
}

/** A certificate number stays text; a number that Excel has rounded away is none. */
export function readCertNum(text: string): string | undefined {
  const trimmed = text
    .trim()
    .replace(/^(?:GIA|IGI|GCAL|HRD|AGS)[\s#:-]+/i, '')
    .replace(/^[#'`]+/, '')
  if (trimmed === '' || /^(0+|-+|N\/?A|NONE|NO|NULL|NO ?CERT|NON ?CERT)$/i.test(trimmed)) {
    return undefined
  }
  if (isDamagedNumber(trimmed)) return undefined
  if (trimmed.length > 60) return undefined
  return trimmed.replace(/^(\d+)\.0+$/, '$1')
}

const GROWN =
  /^(LG|LGD|LAB|LABGROWN|LABGROWNDIAMOND|LABGROWNDIAMONDS|LABCREATED|LABDIAMOND|CREATED|SYNTHETIC|GROWN|MANMADE|CVD|HPHT|LABORATORYGROWN|L)$/
const MINED = /^(NATURAL|MINED|NAT|NATURALDIAMOND|NATURALDIAMONDS|EARTHMINED|EARTH|NDIAMOND|REAL)$/

/** What a column says about the origin; yes and no answer the column's own question. */
export const readGrown = remember((text: string): boolean | undefined => {
  const code = fold(text)
  if (GROWN.test(code) || /LABGROWN|LABCREATED|SYNTHETIC/.test(code)) return true
  if (MINED.test(code) || code.startsWith('NATURAL')) return false
  return readFlag(text)
})

export const readGrowMethod = remember((text: string): 'CVD' | 'HPHT' | undefined => {
  const code = fold(text)
  if (/CVD|CHEMICALVAPOU?R/.test(code)) return 'CVD'
  if (/HPHT|HIGHPRESSURE/.test(code)) return 'HPHT'
  return undefined
})

const YES = /^(Y|YES|T|TRUE|1|OK|X|ALLOWED|ACCEPTED)$/
const NO = /^(N|NO|F|FALSE|0|NONE|NOT|NOTALLOWED)$/

export const readFlag = remember((text: string): boolean | undefined => {
  const code = fold(text)
  return YES.test(code) ? true : NO.test(code) ? false : undefined
})

const OFF_MARKET =
  /^(NA|N|NO|NOTAVAILABLE|UNAVAILABLE|SOLD|SOLDOUT|OUTOFSTOCK|M|MEMO|ONMEMO|OUTONMEMO|MEMOOUT|HOLD|ONHOLD|RESERVED|BLOCKED|FALSE|0|INACTIVE|BUSY|BUSINESSPROCESS|BP|NOTINSTOCK|CONFIRMED|DELETED|OFFLINE|INMEMO|ISSUE)$/
const ON_MARKET =
  /^(|G|GA|GUARANTEED|GUARANTEEDAVAILABLE|GUARANTEEDAVAILABILITY|A|AV|AVL|AVAIL|AVAILABLE|Y|YES|TRUE|1|NEW|STPS|SUBJECTTOPRIORSALE|INSTOCK|STOCK|ACTIVE|NOTSPECIFIED|ONHAND|OFFICE|INHAND|UPCOMING|WEB)$/

/** Whether the stone is on offer; a word we do not know is undefined. */
export const readAvailability = remember((text: string): boolean | undefined => {
  const code = fold(text)
  if (/^NOTSPECIFIED$/.test(code)) return true
  return ON_MARKET.test(code) ? true : OFF_MARKET.test(code) ? false : undefined
})

export const readEyeClean = remember((text: string): 'yes' | 'borderline' | 'no' | undefined => {
  const code = fold(text)
  if (/^(Y|YES|TRUE|1|EYECLEAN|CLEAN|EC|100|100EYECLEAN|E|E0)$/.test(code)) return 'yes'
  if (/^(B|BORDERLINE|ALMOST|NEARLY|MOSTLY|BORDER|SLIGHTLY|90)$/.test(code)) return 'borderline'
  if (/^(N|NO|FALSE|0|NOTEYECLEAN|NOTCLEAN|NOTECLEAN|NEC)$/.test(code)) return 'no'
  return undefined
})

const URL_CHARS_MAX = 2_048

/** A link that a browser can open; a bare file name of the supplier's disk is none. */
export function readUrl(text: string): string | undefined {
  const trimmed = text.trim()
  const url = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
  if (!/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(url) || url.length > URL_CHARS_MAX) return undefined
  return url
}

const UNTREATED =
  /^(|N|NO|NONE|NIL|NA|UNTREATED|NOTREATMENT|NATURAL|0|FALSE|NOTTREATED|NOTENHANCED|ASGROWN|NOENHANCEMENT|NOTSPECIFIED)$/

/** The treatment that a stone is known to have had, or undefined. */
export const readTreatment = remember((text: string): string | undefined =>
  UNTREATED.test(fold(text)) ? undefined : text.trim().slice(0, 120),
)

/** A coloured gemstone's species in lower case; a diamond is none. */
export const readSpecies = remember((text: string): string | undefined => {
  const code = fold(text)
  if (saysNothing(text) || /DIAMOND|^(NATURAL|LAB|LABGROWN|MINED|LG|NAT|D|N|Y|0|1)$/.test(code)) {
    return undefined
  }
  const word = text.trim().toLowerCase()
  return /^[\p{L}][\p{L} '-]{2,40}$/u.test(word) ? word : undefined
})
