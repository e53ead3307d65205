import { cached, fold, wordSet } from './spelling.ts'

export type GrowMethod = 'CVD' | 'HPHT'

/** Words in a cell that say that a stone was grown in a laboratory. */
interface GrowthSign {
  method: GrowMethod | null
}

/** Nearly every cell is ruled out by this one test. */
const HINT = /LG|L\.G|LAB|GROW|C\.?V\.?D|HPHT|H\.P|SYNTH|CREATED|MAN.?MADE|VAPOU?R|PRESSURE/i

const GROWTH =
  'LAB(?:ORATORY)?\\W{0,5}(?:GROWN|CREATED|MADE)|CVD|HPHT|SYNTHETICS?|LAB\\W{0,5}DIAMONDS?|LGD'
/** `no CVD`, `non-HPHT`, `not lab grown or CVD`: the words say the opposite. */
const DENIED = new RegExp(
  `(?<![A-Z])(?:NO|NON|NOT|NEVER|WITHOUT|FREE OF|ISN'T)(?:\\W+(?:AN?|ANY|IS))?\\W{0,5}` +
    `(?:${GROWTH})(?:\\W{0,5}(?:OR|AND|NOR|/|&|,)\\W{0,5}(?:${GROWTH}))*(?![A-Z])`,
  'g',
)
/** `CVD/HPHT tested`, `CVD free`: a test of mined stones for grown ones among them. */
const TESTED = new RegExp(
  `(?:(?:${GROWTH})\\W{0,5}(?:OR|AND)?\\W{0,5})+` +
    '(?:TESTED|TEST|SCREENED|CHECKED|FREE|NEGATIVE|PASS(?:ED)?)',
  'g',
)
/** High pressure and heat also improve the color of mined stones: a treatment, not growth. */
const HPHT_TREATED = new RegExp(
  '(?:(?<![A-Z])HPHT|HIGH\\W{0,5}PRESSURE,?\\W{0,5}HIGH\\W{0,5}TEMPERATURE)' +
    '(?:\\W{0,5}\\(HPHT\\))?\\W{0,5}(?:COLOU?R\\W{0,5})?' +
    '(?:TREAT|PROCESS|ENHANC|ANNEAL|IMPROV)[A-Z]*',
  'g',
)
const GROWN_WORDS = new RegExp(
  `(?<![A-Z])(?:LAB(?:ORATORY)?\\W{0,5}(?:GROWN|CREATED|MADE)|LAB\\W{0,5}DIAMONDS?|SYNTHETIC|` +
    `LGD(?:R|G|OS)?(?![A-Z])|MAN\\W?MADE|AS\\W?GROWN|POST\\W?GROWTH|GROWN\\W?DIAMOND|` +
    `CREATED\\W?DIAMOND|GROWTH\\W{0,5}PROCESS)`,
)
const CVD = /(?<![A-Z])CVD(?![A-Z])|CHEMICAL\W{0,5}VAPOU?R/
const HPHT = /(?<![A-Z])HPHT(?![A-Z])|HIGH\W{0,5}PRESSURE/
/** Laboratories number grown stones like this; also in a link or the name of a file. */
const CERTIFICATE = /(?<![A-Z0-9])LG\W?\d{8,10}(?![0-9])/

/** `C.V.D.` and `H.P.H.T.` */
const DOTTED = /(?<![A-Z])(?:[A-Z]\.){2,3}[A-Z](?![A-Z])/g

/** Returns the sign of growth in any text of a row, or undefined. */
export function readGrowthSign(text: string): GrowthSign | undefined {
  return HINT.test(text) ? readHinted(text) : undefined
}

const readHinted = cached((text: string): GrowthSign | undefined => {
  const said = text
    .toUpperCase()
    .replaceAll('_', ' ')
    .replaceAll(DOTTED, (letters) => letters.replaceAll('.', ''))
    .replaceAll(DENIED, ' ')
    .replaceAll(TESTED, ' ')
    .replaceAll(HPHT_TREATED, ' ')
  const hasCvd = CVD.test(said)
  const hasHpht = HPHT.test(said)
  if (!hasCvd && !hasHpht && !GROWN_WORDS.test(said) && !CERTIFICATE.test(said)) return undefined
  return { method: hasCvd === hasHpht ? null : hasCvd ? 'CVD' : 'HPHT' }
})

/** Whole cells that mean growth in a column about the kind of stone, and nothing elsewhere. */
const GROWN_CODES = wordSet('LG LGD LAB L GROWN CREATED SYNTHETIC LC')

/** Returns whether a cell of a column about the kind of stone is a code for a grown one. */
export function isGrownCode(text: string): boolean {
  return text.length <= 12 && GROWN_CODES.has(fold(text))
}

/** Returns whether a lab's name indicates a lab grown stone: `IGI LG`, `GIA-LGD`. */
export function labSaysGrown(text: string): boolean {
  return /\bLGD?R?\b|LAB.?GROWN/i.test(text)
}

/** Laboratories start the certificate numbers of lab grown stones like this; some end them so. */
export function isGrownCertificate(certNum: string): boolean {
  return /^LGD?\s?-?\d|\d{6}[\s-]?LGD?$/i.test(certNum)
}

/** Returns the part of a stock number by which suppliers mark grown stones, or undefined. */
export function grownPrefixOf(vendorSku: string): string | undefined {
  return /^(?:LGD?|LAB|CVD|HPHT)(?=[-_/. ]|\d)/i.exec(vendorSku)?.[0]
}

/** Returns whether a treatment column or a comment says that high pressure changed the color. */
export function saysHphtTreated(text: string): boolean {
  return /HPHT|PRESSURE/i.test(text) && text.toUpperCase().search(HPHT_TREATED) !== -1
}
