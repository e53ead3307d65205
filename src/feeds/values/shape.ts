import { CUT_CODES, type CutCode, SHAPES, type Shape } from '../../reference/attributes.ts'
import { cached, fold, spellings } from './spelling.ts'

export interface ShapeReading {
  shape: Shape
  cut_code: CutCode
}

const BY_CODE = spellings<Shape>({
  round: `
      B BR RB RD RBC RND ROUND RBR RO ROUNDCUT BRILLIANT BRIL ROUNDSHAPE RDBR ROU ROUNDBRIL
      BRILLIANTCUT CIRCULARBRILLIANT TRANSITIONAL TRANSITIONALCUT
    `,
  pear: 'P PS PSH PB PMB PE PER PEAR PEARSHAPE PRS TEARDROP DROP PEARBRILLIANT PAER PEMB',
  emerald: 'E EM EC EMD EMR EMER EMERALD EMERALDCUT EMC EMRD EMRALD',
  princess: 'PRN PR PRIN PN PC PRI PRINCESS PRC PRINCESSCUT MDSQB SMB PCS PRNC SQUAREMODIFIED',
  marquise: 'MQB M MQ MAR MARQ MARQUIS MARQUISE MQS MQX MRQ MB NAVETTE',
  asscher: `
      A AS ASS ASH CSS CSSC AC ASSCHER ASCHER ASHER SQEM SQEMERALD SQE SEM SQUAREEMERALD SE ASC
      ASCH SQEC ASHCHER
    `,
  cushion: `
      C CB CU CUX CMB CUSH CUS RCRMB CRC CSC CX RCSB SCMB SCX CUSHION CUSHIONB CM CUM CN CUMBR
      CUBR CMOD CSMB CSHN CUSION CUSBRILLIANT CUSBRIL CUN CBR CUMB CUMOD CUSHMOD SCU ELCU
    `,
  heart: 'H HS HT HRT HE HEART HEARTSHAPE MHRC HB HRTS HR LOVE HMB',
  oval: 'O OV OVL OMB OVAL OB OVALSHAPE OVB OVEL',
  radiant: `
      R RAD RA RC RDN CRB RCRB RADIANT LRAD LR PRAD SQRAD SQR SQUARERADIANT LONGRADIANT RADIENT
      RNT SQRADIANT RCRMBR CRMB CCRMB CCSMB LRD REDIANT RADIAN LRBRILLIANT
    `,
  triangle: 'TR TRIL T TRILLIANT TRILLION TRIANGULAR TRIANGLE TRI TRL TRIANGULARBRILLIANT TRLN',
  baguette: 'BAG BG BGT BAGUETTE BAGUETTES BGTT STRAIGHTBAGUETTE BUGGETTE BAGGUETTE',
  tapered_baguette: 'TB TBAG TPB TAPEREDBAGUETTE TAPBAG TAPEREDBAG TAPERBAGUETTE TAPER TBG',
  bullets: 'BULLET BULLETS TAPEREDBULLET TAPEREDBULLETS BU BLT',
  half_moon: 'HM HALFMOON HMOON HALFMOONS',
  trapezoid: 'TRAP TZ TRAPEZOID TRAPEZE TRP TRAPE TRAPB',
  hexagon: 'HEX HEXAGON HEXAGONAL HX',
  octagon: 'OCT OCTAGON OCTAGONAL OC',
  lozenge: 'LOZ LOZENGE LZ',
  shield: 'SH SHIELD SHLD SD',
  briolette: 'BRIO BRIOLETTE BRIOLET BRT',
  calf: 'CALF CF CALFHEAD CALVES',
  rectangle: 'RECT RECTANGLE RECTANGULAR RECTANGULARSTEP',
})

/** Names that define the cut as well as the outline. */
const OLD_CUTS: [RegExp, ShapeReading][] = [
  [/^(EU|EURO|OEC|OE|OEB|EUC)$|EUROPEAN/, { shape: 'round', cut_code: 'european_cut' }],
  [/^(OM|OMC|OMR)$|OLDMINE/, { shape: 'cushion', cut_code: 'old_mine_cut' }],
  [/^(ROSE|RS|RSC|ROSECUT)$/, { shape: 'round', cut_code: 'rose_cut' }],
]

const MODIFIED_CODES = new Set([
  'PMB',
  'CMB',
  'RCRMB',
  'SCMB',
  'OMB',
  'CUM',
  'CM',
  'CMOD',
  'CUMBR',
  'CSMB',
  'CUX',
  'SCX',
  'CX',
  'CUMB',
  'HMB',
  'PEMB',
  'CRMB',
  'CCRMB',
  'CCSMB',
  'SMB',
  'MDSQB',
])

const STEP_SHAPES: ReadonlySet<Shape> = new Set<Shape>([
  'asscher',
  'baguette',
  'bullets',
  'calf',
  'emerald',
  'hexagon',
  'lozenge',
  'octagon',
  'rectangle',
  'shield',
  'tapered_baguette',
  'trapezoid',
])

/** Words of a longer name, the most specific first: `Cut Cornered Rectangular Step Cut`. */
const BY_WORDS: [RegExp, Shape][] = [
  [/HEARTS?(AND|N)?ARROWS?/, 'round'],
  [/ROUND.*HEARTS|HEARTS.*ROUND/, 'round'],
  [/TAPEREDBAG|BAG(UETTE)?S?TAPER/, 'tapered_baguette'],
  [/BULLET/, 'bullets'],
  [/BAGUETTE/, 'baguette'],
  [/CUSHION|CUSHON|CUSHIN/, 'cushion'],
  [/PRINCES/, 'princess'],
  [/RADIANT/, 'radiant'],
  [/CUTCORNEREDSQUARE(STEP|EMERALD)|SQUAREEMERALD|SQ.?EMERALD|ASS?CHER/, 'asscher'],
  [/CUTCORNEREDRECTANGULAR(STEP)|EMERALD/, 'emerald'],
  [/CUTCORNERED(RECTANGULAR|SQUARE)/, 'radiant'],
  [/SQUAREMODIFIEDBRILLIANT|SQUAREBRILLIANT/, 'princess'],
  [/MARQUI/, 'marquise'],
  [/HEART/, 'heart'],
  [/HALFMOON/, 'half_moon'],
  [/PEAR/, 'pear'],
  [/OVAL/, 'oval'],
  [/TRILL?I|TRIANG/, 'triangle'],
  [/TRAPE/, 'trapezoid'],
  [/HEXAGON/, 'hexagon'],
  [/OCTAGON/, 'octagon'],
  [/LOZENGE/, 'lozenge'],
  [/SHIELD/, 'shield'],
  [/BRIOLET/, 'briolette'],
  [/ROUND/, 'round'],
  [/RECTANG/, 'rectangle'],
]

/** Shapes of the trade that are not sold here, as a reason names them. */
const UNSOLD: [RegExp, string][] = [
  [/KITE/, 'Kite'],
  [/EPAULET/, 'Epaulette'],
  [/^STAR(CUT|SHAPE)?$/, 'Star'],
  [/^FAN(CUT|SHAPE)?$/, 'Fan'],
  [/FLANDERS/, 'Flanders'],
  [/PENTAGON/, 'Pentagonal'],
  [/HEPTAGON/, 'Heptagonal'],
  [/NONAGON/, 'Nonagonal'],
  [/DECAGON/, 'Decagonal'],
  [/TETRAGON/, 'Tetragonal'],
  [/RHOMB/, 'Rhombus'],
  [/CRISS?CROSS/, 'Criss Cut'],
  [/BUTTERFLY/, 'Butterfly'],
  [/^LEAF/, 'Leaf'],
  [/HORSE/, 'Horse head'],
  [/^(ROUGH|SLICE|PORTRAIT|FREEFORM)/, 'Rough or slice'],
  [/^OTHERS?$/, 'Another shape'],
]

/** Returns the name of a shape that exists but is not sold here; undefined for any other text. */
export const unsoldShapeOf = cached((text: string): string | undefined => {
  const name = fold(text)
  return UNSOLD.find(([pattern]) => pattern.test(name))?.[1]
})

/** Reads the outline and the cut from a shape's name or code. */
export const readShape = cached((text: string): ShapeReading | undefined => {
  if (unsoldShapeOf(text) !== undefined) return undefined
  const name = fold(text)
  for (const [pattern, reading] of OLD_CUTS) if (pattern.test(name)) return reading
  const shape = BY_CODE.get(name) ?? BY_WORDS.find(([pattern]) => pattern.test(name))?.[1]
  return shape && { shape, cut_code: cutCodeOf(shape, name) }
})

/** What else a heading or the name of a sheet says: `Round Diamonds 1.00-1.49 ct (LG)`. */
const BESIDE_SHAPE = new RegExp(
  '(?<![a-z])(?:loose|natural|mined|lab|grown|created|cvd|hpht|lgd?|lab[- ]?grown|certified|gia|' +
    'igi|gcal|hrd|diamonds?|stones?|shapes?|shaped|cuts?|brilliants?|stock|list|cts?|carats?|' +
    'pointers?|pts?)(?![a-z])|[^a-z ]+',
  'gi',
)
const SHAPE_NAMES: ReadonlyMap<string, string> = new Map(
  SHAPES.map((shape) => [fold(shape), shape]),
)
/** Shorter words than this are codes, which name a shape in a column of shapes only. */
const SHAPE_WORD_CHARS_MIN = 6

/**
 * Returns the shape that a heading or the name of a sheet names, if it names one: `ROUND`,
 * `Pears 1-2 ct`. Codes, `Fancy Shapes` and `Round & Oval` name none.
 */
export const shapeOfHeading = cached((text: string): string | undefined => {
  if (/[&+/]|,\s|\band\b/i.test(text)) return undefined
  const name = fold(text.replaceAll(BESIDE_SHAPE, ' '))
  for (const word of [name, name.replace(/E?S$/, ''), name.replace(/S$/, '')]) {
    const shape = SHAPE_NAMES.get(word)
    if (shape !== undefined) return shape
    if (word.length >= SHAPE_WORD_CHARS_MIN && BY_CODE.has(word)) return word
  }
  return undefined
})

export function cutCodeOf(shape: Shape, name: string): CutCode {
  if (/ROSE/.test(name)) return 'rose_cut'
  if (/MIXED/.test(name)) return 'mixed_cut'
  if (/MOD/.test(name) || MODIFIED_CODES.has(name)) return 'modified_cut'
  if (/STEP/.test(name)) return 'step_cut'
  if (/BRILL/.test(name)) return 'brilliant_cut'
  return STEP_SHAPES.has(shape) ? 'step_cut' : 'brilliant_cut'
}

/** Reads whether the outline is square or rectangular. */
export const readRatioGroup = cached((text: string): 'square' | 'rectangular' | undefined => {
  const name = fold(text)
  return name === 'SQUARE' ? 'square' : /^RECTANG(LE|ULAR)$/.test(name) ? 'rectangular' : undefined
})

/** Reads a style of cut by its own name: `step_cut`, `Step Cut`, `step`. */
export const readCutCode = cached((text: string): CutCode | undefined => {
  const name = fold(text)
  return CUT_CODES.find((code) => fold(code) === name || fold(code) === `${name}CUT`)
})
