import { cached, fold, readFlag, wordSet } from './spelling.ts'
import { HPHT_TREATED } from './treatment.ts'

export type GrowMethod = 'CVD' | 'HPHT'

/** Words in a cell that say that a stone was grown in a laboratory. */
interface GrowthSign {
  method: GrowMethod | null
}

/** Nearly every cell is ruled out by this one test. */
const HINT = new RegExp(
  'LG|L\\.G|LAB|GROW|C\\.?V\\.?D|HPHT|H\\.P|SYNTH|SINT|CREATED|MAN.?MADE|VAPOU?R|PRESSURE|' +
    'HYDRO|FLUX|VERNEUIL|' +
    'ZUCHT|GEKWEEKT|ВЫРАЩ|ЛАБОРАТ|ИСКУССТ|СИНТЕТ|[培合人]|ラボ|랩|합성|מעבדה|סינתט',
  'i',
)

/** `MPCVD`: the letters before it name the source of the plasma. */
const CVD_WORD = '(?:MP|MW|PE|HF)?CVD'
const GROWTH =
  `LAB(?:ORATORY)?\\W{0,5}(?:GROWN|CREATED|MADE|CULTURED)|${CVD_WORD}|HPHT|SYNTHETICS?|` +
  'SYNTH[EÉ]TIQUES?|SINT[EÉ]TIC[OA]S?|' +
  'SYNTHETISCHE?R?|LAB\\W{0,5}DIAMONDS?|LABOR\\W?DIAMANTE?N?|LGD'
/** `CVD: no`, `Lab grown - none`, `synthetisch: nein`. */
const DENIED_AFTER = new RegExp(
  `(?<![A-Z])(?:${GROWTH})\\s{0,3}[:=–-]\\s{0,3}` +
    '(?:NO|NONE|NIL|FALSE|N|NEIN|NON)(?![A-Z]|\\W{0,2}\\d)',
  'g',
)
/** `no CVD`, `non-HPHT`, `not lab grown or CVD`: the words say the opposite. */
const DENIED = new RegExp(
  `(?<![A-Z])(?:NO|NON|NOT|NEVER|WITHOUT|FREE OF|ISN'T|NICHT|KEINE?|PAS)` +
    `(?:\\W+(?:AN?|ANY|IS))?\\W{0,5}` +
    `(?:${GROWTH})(?:\\W{0,5}(?:OR|AND|NOR|/|&|,)\\W{0,5}(?:${GROWTH})){0,9}(?![A-Z])`,
  'g',
)
const BETWEEN = '\\W{0,10}(?:(?:OR|AND)\\W{0,5})?'
/** `CVD/HPHT tested`, `CVD free`: a test of mined stones for grown ones among them. */
const TESTED = new RegExp(
  `(?:${GROWTH})(?:${BETWEEN}(?:${GROWTH})){0,9}${BETWEEN}` +
    '(?:TESTED|TEST|SCREENED|CHECKED|FREE|NEGATIVE|PASS(?:ED)?)',
  'g',
)
const GROWN_WORDS = new RegExp(
  `(?<![A-Z])(?:LAB(?:ORATORY)?\\W{0,5}(?:GROWN|CREATED|MADE|CULTURED)|` +
    'GROWN IN (?:AN? |THE )?LAB|' +
    'LAB\\W{0,5}DIAMONDS?|LG[\\s-]{1,2}DIAMONDS?(?![A-Z./])|' +
    'SYNTH[EÉ]TI(?:C|SCH|QUE)|LABOR\\W?DIAMANT|LABOR\\W?GEZ(?:Ü|UE)CHTET|' +
    `DIAMANTS? DE (?:LABORATOIRE|SYNTH)|` +
    `LGD(?:R|G|OS)?(?![A-Z])|MAN\\W?MADE|AS\\W?GROWN|POST\\W?GROWTH|GROWN\\W?DIAMOND|` +
    `CREATED\\W?DIAMOND|GROWTH\\W{0,5}PROCESS)`,
)
/** `Lab Ruby`, `Created Pink Sapphire`, `Hydrothermal Emerald`, `Flux Grown`: grown gemstones. */
const GROWN_GEM = new RegExp(
  '(?<![A-Z])(?:(?:LAB|CREATED|FLUX|HYDRO(?:THERMAL)?)[ -]{1,2}' +
    '(?:(?:BLUE|PINK|RED|GREEN|YELLOW|WHITE|ORANGE|PURPLE|PADPARADSCHA) )?' +
    // `GIA Lab Emerald` may be the laboratory and the shape.
    '(?:RUB(?:Y|IES)|SAPPHIRE|(?<!LAB[ -]{1,2})EMERALD|ALEXANDRITE|SPINEL|OPAL|CORUNDUM|BERYL)|' +
    '(?:FLUX|HYDRO(?:THERMAL)?(?:LY)?)[ -]?(?:GROWN|CREATED)|VERNEUIL)',
)
/** Grown, in further languages; `de laboratorio` alone may be said of a certificate. */
const GROWN_ELSEWHERE = new RegExp(
  'SINT[EÉ]TIC|DIAMANT[EI]S? D[EAI] LABORAT[OÓ]RIO|ZUCHT\\W?DIAMANT|LABO?R?\\W?GEWACHSEN|' +
    'LAB(?:O|ORATORIUM)?\\W?(?:GEKWEEKT|DIAMANT)|GEKWEEKTE DIAMANT|' +
    '(?:CULTIVAD|CREAD|CRIAD|PRODUCID|PRODUZID|FABRICAD|HECH|COLTIVAT|CREAT|PRODOTT|CRESCIUT)' +
    '[OAEI]S? (?:EN|EM|IN) (?:UN )?LABORAT[OÓ]RIO|' +
    '(?:CULTIV|CR[EÉ]|FABRIQU|PRODUIT|D[EÉ]VELOPP)[EÉ]*S? EN LABO|' +
    '(?<!НЕ\\s?)(?:ВЫРАЩЕН|СИНТЕТИЧ|ИСКУССТВЕНН)|ЛАБОРАТОРН[А-Я]{1,4} (?:БРИЛЛИАНТ|АЛМАЗ)|' +
    '(?<![非不])(?:培育|合成|人造)|人工(?:培育|合成|钻|鑽|ダイヤ)|ラボグロ|랩\\s?그로운|합성|' +
    'יהלו(?:ם|מי) מעבדה|גידול ב?מעבדה|סינתט',
)
const CVD = new RegExp(`(?<![A-Z])${CVD_WORD}(?![A-Z])|CHEMICAL\\W{0,5}VAPOU?R`)
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
    .replaceAll(DENIED_AFTER, ' ')
    .replaceAll(TESTED, ' ')
    .replaceAll(HPHT_TREATED, ' ')
  const hasCvd = CVD.test(said)
  const hasHpht = HPHT.test(said)
  const isGrown = [GROWN_WORDS, GROWN_GEM, GROWN_ELSEWHERE, CERTIFICATE].some((words) =>
    words.test(said),
  )
  if (!hasCvd && !hasHpht && !isGrown) return undefined
  return { method: hasCvd === hasHpht ? null : hasCvd ? 'CVD' : 'HPHT' }
})

/** Whole cells that mean growth in a column about the kind of stone, and nothing elsewhere. */
const GROWN_CODES = wordSet(`
  LG LGD LAB L GROWN CREATED SYNTHETIC LC CULTURED CULTIVATED LABOR LABORATOIRE LABORATORY
  LABORATORIO SYNTHTIQUE SYNTHETIQUE
`)

/** `LG Diamond`, `Diamond - Lab`, `Lab Dia`, `Lab Emerald`, without spaces. */
const GROWN_DIAMOND = /^(?:(?:LGD?|LAB)(?:DIA(?:MONDS?)?|EMERALDS?)|DIAMONDS?(?:LGD?|LAB))$/
const CODE_CHARS_MAX = 20

/** Returns whether a cell of a column about the kind of stone is a code for a grown one. */
export function isGrownCode(text: string): boolean {
  if (text.length > CODE_CHARS_MAX) return false
  const code = fold(text)
  return GROWN_CODES.has(code) || GROWN_DIAMOND.test(code)
}

/** What else says growth in a column about the kind of stone, without spaces. */
const GROWN_WORD = /LABGROWN|LABCREATED|SYNTHETIC|^(?:LABDIAMOND|LABORATORYGROWN|MANMADE|CVD|HPHT)$/
const MINED = /^(NATURAL|MINED|NAT|NATURALDIAMOND|NATURALDIAMONDS|EARTHMINED|EARTH|NDIAMOND|REAL)$/

/** Returns whether the stone is lab grown; yes and no count as such. */
export const readGrown = cached((text: string): boolean | undefined => {
  const code = fold(text)
  if (isGrownCode(text) || GROWN_WORD.test(code)) return true
  if (MINED.test(code) || code.startsWith('NATURAL')) return false
  return readFlag(text)
})

export const readGrowMethod = cached((text: string): GrowMethod | undefined => {
  const code = fold(text)
  if (/CVD|CHEMICALVAPOU?R/.test(code)) return 'CVD'
  if (/HPHT|HIGHPRESSURE/.test(code)) return 'HPHT'
  return undefined
})

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

/** Returns whether a shape is followed by a code for grown stones: `Round LG`. */
export function shapeSaysGrown(text: string): boolean {
  return /[a-z)]\W{1,5}\(?LGD?\)?$/i.test(text)
}

const IMITATION = /(?<!\b(?:no|not|non|for)\W{1,3})(moissanite|cubic\W?zirconia|zirconia)/i
const TESTED_FOR = /(?:moissanite|zirconia)\W{0,3}(?:tested|test|free|negative)/i

/** Stones of glass, and those that are glued together, are called by a gemstone as well. */
const COMPOSITE = /(?<![a-z])(?:doublet|triplet|imitation|simulated|simulant|faux)s?(?![a-z])/i

/** Returns the stone that is not a diamond but looks like one, or undefined. */
export function readImitation(text: string, isKind: boolean): string | undefined {
  if (isKind && /^CZ$/i.test(text)) return 'cubic zirconia'
  if (isKind && COMPOSITE.test(text)) return 'an imitation or a composite stone'
  const [, name] = IMITATION.exec(text) ?? []
  if (name === undefined || TESTED_FOR.test(text)) return undefined
  return /^m/i.test(name) ? 'moissanite' : 'cubic zirconia'
}
