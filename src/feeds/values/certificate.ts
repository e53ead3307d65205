/** Reads laboratories and the numbers of their certificates, also from the address of a report. */
import { LABS, type Lab } from '../../reference/attributes.ts'
import { cached, fold, wordSet } from './spelling.ts'

interface LabReading {
  lab: Lab | null
  /** As the feed writes it. */
  lab_name: string | null
  /** A certificate number from the same cell: `GIA 2141438171`. */
  cert_num: string | null
}

const NO_LAB = wordSet(`
  0 N NO NON NONE NA NC NOCERT NOLAB UNCERTIFIED NONCERT NONCERTIFIED NOTCERTIFIED NOCERTIFICATE
  NULL WITHOUTCERT
`)

export const readLab = cached((text: string): LabReading => {
  const code = fold(text)
  if (code === '' || NO_LAB.has(code)) return { lab: null, lab_name: null, cert_num: null }
  const [number = null] = NUMBER_BESIDE_LAB.exec(text) ?? []
  const labs = LABS.filter((name) => {
    return code === name || labToken(text, name) || FULL_NAMES[name].test(code)
  })
  // Of two laboratories in one cell, it is not said which number is whose.
  const lab = labs.length === 1 ? labs[0] : null
  return { lab, lab_name: labNameIn(text, number), cert_num: number }
})

/** `GIA 2141438171`, and without a space between them. */
const NUMBER_BESIDE_LAB =
  /\b(?:LG)?\d{6,12}\b|(?<=^(?:GIA|IGI|GCAL|HRD|AGSL?|GSI|EGL|IIDGR|NGTC))(?:LG)?\d{6,12}$/i

/** The laboratories by their full names. */
const FULL_NAMES: Record<Lab, RegExp> = {
  GIA: /^GEM+OLOGICALINSTITUTEOFAMERICA/,
  IGI: /^INTERNATIONALGEM+OLOGICALINSTITUTE/,
  GCAL: /^GEMCERTIFICATION(AND)?ASSURANCELAB/,
}

const LAB_NAME_CHARS_MAX = 60

/** The name without the number, which would make as many laboratories as stones. */
function labNameIn(text: string, number: string | null): string | null {
  const name =
    number === null ? text : text.replace(number, ' ').replace(/(?<![\s#:-])[\s#:-]+$/, '')
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

/** A spreadsheet wrote `2.21E+09` or `2,21E+09`, or a date, and the number itself is lost. */
export function isDamagedNumber(text: string): boolean {
  return /^\d(?:E\+|[.,]\d+E\+?)\d+$/i.test(text) || DATE.test(text)
}

/** A spreadsheet takes `12-5` and `MAR-2` for a date, and then shows that. */
const DATE = new RegExp(
  '^(?:(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])|' +
    '\\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-\\d{2,4})?|' +
    '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\\d\\d)$',
)

const CERTIFICATE_CHARS_MIN = 3

/** A laboratory before the number of its certificate: `GIA 2141438171`, `HRD-190001234567`. */
const LAB_PREFIX =
  /^(?=\D*\d)(GIA|IGI|GCAL|HRD|AGSL?|GSI|EGL|IIDGR|NGTC)(?:[\s#:./-]+|(?=(?:LG)?\d{6}))/i

/** `Report No. 2141438171`, `Cert # 2141438171`. */
const NUMBER_WORDS =
  /^(?:(?:report|cert(?:ificate)?|number|num|no|nr)(?![a-z])[\s.:#-]*)+(?=(?:LG)?\d{5})/i

/** Returns the laboratory that stands before a certificate number; empty when none does. */
export function labBeforeNumber(text: string): string {
  return LAB_PREFIX.exec(text.trim())?.[1] ?? ''
}

/** Reads a certificate number as text; undefined when a spreadsheet has rounded it. */
export function readCertNum(text: string): string | undefined {
  const shown = ANCHOR.exec(text)?.[1] ?? text
  const written = shown.trim()
  const trimmed = (certNumInLink(written) ?? written)
    .replace(LAB_PREFIX, '')
    .replace(NUMBER_WORDS, '')
    .replace(/^[#'`]+|(?<!\*)\*+$/g, '')
  if (trimmed === '' || /^(0+|-+|N\/?A|NONE|NO|NULL|NO ?CERT|NON ?CERT)$/i.test(trimmed)) {
    return undefined
  }
  if (isDamagedNumber(trimmed) || UUID.test(trimmed)) return undefined
  // Every certificate has digits, and more than two characters.
  if (trimmed.length < CERTIFICATE_CHARS_MIN || trimmed.length > 60 || !/\d/.test(trimmed)) {
    return undefined
  }
  return trimmed.replace(AFTER_NUMBER, '$1').replaceAll(GROUPED_BY, '')
}

/** `<a href="https://…">2141438171</a>` */
const ANCHOR = /^<a\s[^<>]{0,2000}>([^<>]{0,60})<\/a>$/i

/** The key of a certificate in the database of a supplier. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What suppliers write after a number: `2141438171.0`, `2141438171 (GIA)`, `2141438171.pdf`. */
const AFTER_NUMBER =
  /^((?:LG)?\d{3,})(?:\.0+|\.?\s*pdf|[\s-]*\(?(?:GIA|IGI|GCAL|HRD|AGSL?|GSI|EGL|IIDGR|NGTC)\)?)$/i
/** A spreadsheet groups thousands: `2,141,438,171`. */
const GROUPED_BY = /(?<=^[\d,]{1,40}),(?=\d{3}(?:,\d{3})*$)/g

/** Two numbers of a pair in one cell, `2141438171 / 2141438172`; one number otherwise. */
export function readCertNums(text: string): (string | undefined)[] {
  const mayBePair = PAIR_SIGN.test(text) && certNumInLink(text) === undefined
  const parts = mayBePair ? text.split(PAIR_SIGN) : []
  const numbers = parts.map((part) => readCertNum(part))
  const isPair = numbers.length === 2 && numbers.every((each) => each && LONG_NUMBER.test(each))
  return isPair ? numbers : [readCertNum(text)]
}

const PAIR_SIGN = new RegExp(
  '\\s*[/,;&|+]\\s*|(?<=\\d)\\s+[-–—]\\s+|(?<=\\d{8})[-–—](?=(?:LG)?\\d{8})|' +
    '(?<=\\d)\\s+(?:and\\s+)?(?=(?:GIA|IGI|LG)?\\s?\\d{6})',
  'i',
)
const LONG_NUMBER = /\d{6}/

/** Parameters of addresses that hold the number of a certificate. */
const NUMBER_PARAMETERS = wordSet(`
  R REPORT REPORTNO REPORTNUM REPORTNUMBER REPORTID RECORDNO RECORDNUMBER CERT CERTNO CERTNUM
  CERTNUMBER CERTID CERTI CERTINO CERTIFICATE CERTIFICATENO CERTIFICATENUM CERTIFICATENUMBER
  CERTIFICATEID LABREPORTNO GRADINGREPORTNO
`)
const NUMBER = /^(?:[A-Z]{2,4}[\s_-]?)?(?:LG)?\d{6,15}$/i
/** Older numbers have letters between their digits. The name of the parameter says what it is. */
const NAMED_NUMBER = /^[A-Z]{0,4}[\s_-]?\d[A-Z\d]{4,15}$/i
const LINK_CHARS_MAX = 2_048
const FILE_EXTENSION = /\.[A-Z]{2,5}$/i

/**
 * Returns the number of the certificate that an address leads to: a parameter known for it, such as
 * `reportno=2141438178`, or the last part of the path with digits, if it is nothing but a number.
 */
export function certNumInLink(text: string): string | undefined {
  if (!/^(?:https?:\/\/|www\.)/i.test(text) || text.length > LINK_CHARS_MAX) return undefined
  const url = /^www\./i.test(text) ? `https://${text}` : text
  if (!URL.canParse(url)) return undefined
  const { searchParams, pathname } = new URL(url)
  for (const [name, value] of searchParams) {
    const number = value.trim()
    if (NUMBER_PARAMETERS.has(fold(name)) && NAMED_NUMBER.test(number)) return plainNumber(number)
  }
  const last = pathname.split('/').findLast((part) => /\d/.test(part))
  const number = last?.replace(FILE_EXTENSION, '') ?? ''
  return NUMBER.test(number) ? plainNumber(number) : undefined
}

function plainNumber(number: string): string {
  return number.replace('_', ' ')
}
