import { cached, fold, wordSet } from './spelling.ts'

const BLANK = wordSet('NA NULL UNDEFINED BLANK NOTSPECIFIED NOTAPPLICABLE NOTAVAILABLE')
const UNTREATED = wordSet(`
  N NO NON NONE NIL UNTREATED UNENHANCED NATURAL 0 FALSE ASGROWN NONENATURAL NATURALNONE
  NATURALUNTREATED UNTREATEDNATURAL KEINE UNBEHANDELT AUCUN AUCUNE NINGUNO NINGUNA NENHUM NESSUNO
  GEEN ONBEHANDELD
`)
const UNTREATED_ELSEWHERE = /^(?:нет|без обработки|无|無|无处理|未处理|無処理|なし|無し|אין|ללא)$/iu
/** `None detected`, `No indications of treatment`, `Not enhanced`. */
const NOT_TREATED = new RegExp(
  '^(?:NO|NOT|NON|NONE)(?:ANY|KNOWN|(?:INDICATIONS?|SIGNS?|EVIDENCE)(?:OF)?)*' +
    '(?:TREAT(?:ED|MENTS?)|ENHANC(?:ED|EMENTS?)|DETECTED|REPORTED|FOUND)' +
    '(?:DETECTED|REPORTED|FOUND)?$',
)
/** Of a gemstone such words tell more than that it is untreated. */
const DIAMOND_NOT_TREATED = new RegExp(
  '^(?:NATURALCOLOU?R|COLOU?RNATURAL|(?:NO|NOT|NON|UN)' +
    '(?:(?:CLARITY|COLOU?R|HEAT|HPHT|LASER|FRACTURE)?(?:TREAT(?:ED|MENT)|ENHANC(?:ED|EMENT))|' +
    'HEAT(?:ED|ING)?|HPHT|IRRADIAT(?:ED|ION)|(?:LASER)?DRILL(?:ED|ING)|' +
    '(?:FRACTURE)?FILL(?:ED|ING)))$',
)

/** Returns whether a column of treatments says that there is none, which an empty one does not. */
export const saysUntreated = cached((text: string): boolean => {
  if (isNone(text)) return true
  // `None/None` is what a system writes of two kinds of treatment.
  const parts = text.split(/[/,;|]/)
  return parts.length > 1 && parts.every(isNone)
})

function isNone(text: string): boolean {
  const code = fold(text)
  return UNTREATED.has(code) || NOT_TREATED.test(code) || UNTREATED_ELSEWHERE.test(text.trim())
}

/** Returns the words about a treatment, or undefined when there is none or nothing is said. */
export const readTreatment = cached((text: string): string | undefined => {
  if (!/[\p{L}\p{N}]/u.test(text) || BLANK.has(fold(text)) || saysUntreated(text)) return undefined
  return text.trim().slice(0, 120)
})

/** Returns the treatment of a diamond, or undefined when it is untreated or nothing is said. */
export function readDiamondTreatment(text: string): string | undefined {
  return DIAMOND_NOT_TREATED.test(fold(text)) ? undefined : readTreatment(text)
}

/** High pressure and heat also improve the color of mined stones: a treatment, not growth. */
export const HPHT_TREATED = new RegExp(
  '(?:(?<![A-Z])HPHT|HIGH\\W{0,5}PRESSURE,?\\W{0,5}HIGH\\W{0,5}TEMPERATURE)' +
    '(?:\\W{0,5}\\(HPHT\\))?\\W{0,5}(?:COLOU?R\\W{0,5})?' +
    '(?:TREAT|PROCESS|ENHANC|ANNEAL|IMPROV)[A-Z]*',
  'g',
)
/** Each treatment by the words with which a remark states it. */
const STATED: readonly (readonly [treatment: string, words: string])[] = [
  ['HPHT', HPHT_TREATED.source],
  ['clarity enhanced', 'CLARITY\\W{0,5}ENHANC(?:ED|EMENTS?)'],
  ['laser drilled', 'LASER\\W{0,5}DRILL(?:ED|ING|\\W?HOLES?)?'],
  ['fracture filled', '(?:FRACTURE|FEATHER|GLASS)\\W{0,5}FILL(?:ED|ING)'],
  ['irradiated', 'IRRADIAT(?:ED|ION)'],
  ['color treated', 'COLOU?R\\W{0,5}(?:TREAT(?:ED|MENT)|ENHANC(?:ED|EMENT))'],
]
const PATTERNS = STATED.map(
  ([treatment, words]) => [treatment, new RegExp(`(?<![A-Z])(?:${words})(?![A-Z])`, 'g')] as const,
)
const ANY = STATED.map(([, words]) => words).join('|')
const LISTED = `(?:${ANY}|HPHT|CVD|TREATED|TREATMENTS?|ENHANCED|ENHANCEMENTS?|COATED|COATING)`
/** `not clarity enhanced or irradiated`, `laser drilling: none`: the words say the opposite. */
const DENIED = new RegExp(
  '(?<![A-Z])(?:NO|NON|NOT|NEVER|NEITHER|WITHOUT|FREE OF|FREE FROM)' +
    '(?:\\W+(?:BEEN|AN?|ANY|(?:SIGNS?|INDICATIONS?|EVIDENCE)\\W+OF))*\\W{0,5}' +
    `${LISTED}(?:(?:\\s{0,3},\\s{0,3}${LISTED})*\\s{0,3},?\\s{0,3}N?OR\\s{1,3}${LISTED}|` +
    `\\s{0,3}(?:AND|/|&)\\s{0,3}${LISTED})*(?![A-Z])|` +
    `(?:${ANY})\\W{0,5}(?:NO|NONE|NIL|FALSE|N)(?![A-Z])`,
  'g',
)
/** Nearly every cell is ruled out by this one test. */
const HINT = /ENHANC|DRILL|FILL|IRRADIAT|COLOU?R.{0,5}TREAT|HPHT|PRESSURE/i

/** Returns the treatments that a remark states, or undefined. */
export function readTreatmentRemark(text: string): string | undefined {
  return HINT.test(text) ? readHinted(text) : undefined
}

const readHinted = cached((text: string): string | undefined => {
  let said = text.toUpperCase().replaceAll(DENIED, ' ')
  const found: string[] = []
  for (const [treatment, pattern] of PATTERNS) {
    // `HPHT color treated` is one treatment and not two.
    const rest = said.replaceAll(pattern, ' ')
    if (rest !== said) found.push(treatment)
    said = rest
  }
  return found.length === 0 ? undefined : found.join(', ')
})
