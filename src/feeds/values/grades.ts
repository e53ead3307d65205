import {
  CLARITIES,
  type Clarity,
  CUT_GRADES,
  type Culet,
  type CutGrade,
  type FinishGrade,
  type Fluorescence,
  GIRDLES,
  type Girdle,
} from '../../reference/attributes.ts'
import { cached, fold, spellings } from './spelling.ts'

// `3EX`, `XXX` and `TRIPLEEX` mean excellent cut, polish and symmetry; `EX-2` is a grade within
// excellent that only its cutter knows.
const GRADES = spellings<CutGrade>({
  IDL: `
    I ID IDL IDEAL IDEALCUT HA HANDA HEARTSANDARROWS HEARTSARROWS 8X IDEAL0 AGS0 AGS000 SUPERIDEAL
    IDHA HAIDEAL EXHA SIGNATUREIDEAL IDEALPLUS
  `,
  EX: `
    EX EXC X E EXCELLENT EXCL EXCELENT PREMIUM 3EX XXX EXL EXCEL TRIPLEEX PREM 3X EXIDEAL
    EX1 EX2 EX3 EX4 X1 X2 X3 X4 EXELLENT EXCELLANT EXEXEX TRIPLEEXCELLENT TRIPLEX EXCELLENTCUT
    EXZELLENT
  `,
  VG: 'VG V GV VERYGOOD VGOOD VGD VGEX EXVG VRYGD VERYGD VERYGOODCUT SEHRGUT',
  G: 'G GD GOOD GVG VGG GOODCUT GUT',
  F: 'F FR FAIR FG GF FA',
  P: 'P POOR PO PF',
})

/** Reads a cut grade; of two grades (`EX-I`, `Good to Very Good`) the lower one counts. */
export const readCutGrade = cached((text: string): CutGrade | undefined => {
  const plain = text.replaceAll('&', '')
  const single = GRADES.get(fold(plain))
  if (single) return single
  const grades = plain.split(/[-–/]|\bto\b/i).map((part) => GRADES.get(fold(part)))
  return grades.length === 2 && grades.every((grade) => grade !== undefined)
    ? CUT_GRADES.findLast((grade) => grades.includes(grade))
    : undefined
})

/** Polish and symmetry have no grade above excellent. */
export const readFinish = cached((text: string): FinishGrade | undefined => {
  const grade = readCutGrade(text)
  return grade === 'IDL' ? 'EX' : grade
})

const CLARITY_WORDS = new Map<string, string>([
  ['LC', 'IF'],
  ['LOUPECLEAN', 'IF'],
  ['INTERNALLYFLAWLESS', 'IF'],
  ['FLAWLESS', 'FL'],
  ['P1', 'I1'],
  ['P2', 'I2'],
  ['P3', 'I3'],
  ['PK1', 'I1'],
  ['PK2', 'I2'],
  ['PK3', 'I3'],
  ['PIQUE1', 'I1'],
  ['PIQUE2', 'I2'],
  ['PIQUE3', 'I3'],
  ['VVSI1', 'VVS1'],
  ['VVSI2', 'VVS2'],
  ['VSI1', 'VS1'],
  ['VSI2', 'VS2'],
  ['FLIF', 'IF'],
  ['VERYVERYSLIGHTLYINCLUDED1', 'VVS1'],
  ['VERYVERYSLIGHTLYINCLUDED2', 'VVS2'],
  ['VERYSLIGHTLYINCLUDED1', 'VS1'],
  ['VERYSLIGHTLYINCLUDED2', 'VS2'],
  ['SLIGHTLYINCLUDED1', 'SI1'],
  ['SLIGHTLYINCLUDED2', 'SI2'],
  ['INCLUDED1', 'I1'],
  ['INCLUDED2', 'I2'],
  ['INCLUDED3', 'I3'],
])

interface ClarityReading {
  clarity: Clarity | 'SI3'
  clarity_max: Clarity | null
}

/** Reads a clarity, or a range such as `VS-SI` of a parcel as its worst and best grade. */
export const readClarity = cached((text: string): ClarityReading | undefined => {
  const single = readOneClarity(fold(text)) ?? readExplained(text)
  if (single) return single
  const upper = text.toUpperCase()
  // A hyphen may stand within the grades: `VS-1/VS-2`.
  const ends = upper.split(/\s*[/,&]\s*/)
  const parts = ends.length === 2 ? ends : upper.split(/\s*(?:-|–|\/|,|\bTO\b|&)\s*/)
  if (parts.length !== 2) return undefined
  // `VVS1-2` omits the letters of its second grade.
  const letters = /^[A-Z]+/.exec(fold(parts[0]))?.[0] ?? ''
  const second = /^\d$/.test(parts[1].trim()) ? letters + parts[1].trim() : fold(parts[1])
  const grades = [readOneClarity(fold(parts[0])), readOneClarity(second)]
  if (!grades[0] || !grades[1]) return undefined
  const isOrdered = rankOf(grades[0].clarity) <= rankOf(grades[1].clarity)
  const [best, worst] = isOrdered ? grades : grades.reverse()
  if (!best || !worst) return undefined
  const bestGrade = best.clarity_max ?? (best.clarity === 'SI3' ? null : best.clarity)
  return { clarity: worst.clarity, clarity_max: bestGrade }
})

/** `SI1 EC`, `SI2 - Eye Clean` */
const EYE_CLEAN = /[\s,(/-]{1,3}(?:E\.?C\.?|EYE[ -]?CLEAN)\)?$/i
/** `Internally Flawless (IF)` */
const WITH_CODE = /^([^()]+)\(([^()]+)\)$/

/** Reads a grade with a remark, or one in words with its code, which must be the same. */
function readExplained(text: string): ClarityReading | undefined {
  const plain = text.trim().replace(EYE_CLEAN, '')
  if (plain !== text.trim()) return readOneClarity(fold(plain))
  const [, words = '', code = ''] = WITH_CODE.exec(plain) ?? []
  const reading = readOneClarity(fold(code))
  return readOneClarity(fold(words))?.clarity === reading?.clarity ? reading : undefined
}

function readOneClarity(code: string): ClarityReading | undefined {
  const grade = CLARITY_WORDS.get(code) ?? code
  if (grade === 'SI3') return { clarity: 'SI3', clarity_max: null }
  if ((CLARITIES as readonly string[]).includes(grade)) {
    return { clarity: grade as Clarity, clarity_max: null }
  }
  // A grade without its number spans both; the stone is sold as the worse one.
  if (grade === 'VVS' || grade === 'VS' || grade === 'SI') {
    return { clarity: `${grade}2` as Clarity, clarity_max: `${grade}1` as Clarity }
  }
  if (grade === 'I') return { clarity: 'I3', clarity_max: 'I1' }
  return undefined
}

function rankOf(clarity: Clarity | 'SI3'): number {
  return clarity === 'SI3' ? CLARITIES.indexOf('SI2') + 0.5 : CLARITIES.indexOf(clarity)
}

const FLUORESCENCE = spellings<Fluorescence>({
  None: `
    N NO NON NONE NN NG NIL NEG NEGLIGIBLE INERT NE NOFLUORESCENCE NFL FL0 NONFLUORESCENT
    NILFLUORESCENCE NONEDETECTED NEGLIGIBLENONE NONENEGLIGIBLE KEINE
  `,
  'Very Slight': 'VSL VSLT VSLG VERYSLIGHT VSLI VSLIGHT',
  Slight: 'SL SLT SLG SLIGHT SLI SLGT FL1SL',
  Faint: 'F FA FT FNT FAINT FAI FL1 FNTT WEAK VERYFAINT VF VFAINT VFNT',
  Medium: 'M MD MED MEDIUM MODER MODERATE MOD ME FL2 MEDIU MDM',
  Strong: 'S ST STG STR STRONG STRG STRNG FL3 SG STN',
  'Very Strong': 'VS VST VSTG VSTR VERYSTRONG VSTRONG VSTRG FL4 VSG XS EXTREMESTRONG VSTN',
})

const FLUORESCENT_COLOR =
  /(BLUE|BLU|BL|B|YELLOW|YEL|YL|Y|WHITE|WHT|WH|W|GREEN|GRN|ORANGE|OR|RED|PINK)$/

/** Reads the strength of fluorescence; a color in the text (`STG BL`, `VSLB`) is ignored. */
export const readFluorescence = cached((text: string): Fluorescence | undefined => {
  const code = fold(text)
  const known = FLUORESCENCE.get(code) ?? FLUORESCENCE.get(code.replace(FLUORESCENT_COLOR, ''))
  if (known !== undefined) return known
  // `BLUE STRONG`, `Medium Bluish White`
  const rest = text.toUpperCase().replaceAll(COLOR_WORD, ' ')
  return FLUORESCENCE.get(fold(rest))
})

const COLOR_WORD = /(?<![A-Z])(?:BLUE|YELLOW|WHITE|GREEN|ORANGE|RED|PINK)(?:ISH)?(?![A-Z])|BLUISH/g

const CULETS = spellings<Culet>({
  N: 'N NO NON NONE NN PT PTD PNT POINTED P POINT NIL C0 0 NOCULET NONEPOINTED KEINE',
  VS: 'VS VSM VSML VERYSMALL VSMALL',
  S: 'S SM SML SMALL SMA',
  M: 'M MD MED MEDIUM',
  SL: 'SL SLL SLG SLIGHTLYLARGE SLARGE SLLARGE SLIGHTLARGE',
  L: 'L LG LARGE LRG LAR',
  VL: 'VL VLG VERYLARGE VLARGE',
  EL: 'EL XL ELG EXTREMELYLARGE XLG EXTRALARGE EXLARGE',
})

export const readCulet = cached((text: string): Culet | undefined => CULETS.get(fold(text)))

const GIRDLE_CODES = spellings<Girdle>({
  XTK: `
    XTK ETK EXTK XTHK ETHK EXTREMELYTHICK EXTTHICK EXTHICK EXTRATHICK XTHICK ETHICK EXTRTHICK
    EXTREMETHICK
  `,
  VTK: 'VTK VTHK VERYTHICK VTHICK VTC',
  TK: 'TK THK THICK THC TC THIC',
  STK: `
    STK SLTK SLTHK STHK SLTHICK SLIGHTLYTHICK STHICK SLTHC SLIGHTTHICK SLYTHICK SLTTHICK SLTC SLTTK
    SLTTHK SLGTHK SLGTK
  `,
  MD: 'MD M MED MEDIUM MEDI MDM MEDM',
  TN: 'TN THN THIN STN SLTN SLTHIN SLIGHTLYTHIN STHN SLTHN TH SLIGHTTHIN',
  VTN: 'VTN VTHN VERYTHIN VTHIN VTH',
  ETN: 'ETN XTN ETHN XTHN EXTN EXTREMELYTHIN EXTTHIN EXTHIN XTHIN ETHIN EXTRATHIN EXTREMETHIN',
})

const GIRDLE_FINISH =
  /\b(FACETED|FACETTED|FACET|FAC|FC|F|POLISHED|POL|SMOOTH|BRUTED|UNPOLISHED|FCT)\b/g

/** Reads one end of a girdle. */
const readGirdleEnd = cached((text: string): Girdle | undefined =>
  GIRDLE_CODES.get(fold(text.toUpperCase().replaceAll(GIRDLE_FINISH, ' '))),
)

/** An end that was not understood is null, and never a copy of the other. */
export interface GirdleReading {
  girdle_min: Girdle | null
  girdle_max: Girdle | null
}

/** Reads both ends of a girdle: `MED - STK`, `Thin to Medium (Faceted)`; one word is both. */
export const readGirdle = cached((text: string): GirdleReading | undefined => {
  const bare = text.toUpperCase().replaceAll(/\([^)]{0,100}\)|\d+(\.\d+)?\s*%?/g, ' ')
  const found = bare
    .replaceAll(GIRDLE_FINISH, ' ')
    .split(/\s*(?:-|–|\/|,|~|;|&|\bTO\b)\s*/)
    .filter((part) => fold(part) !== '')
  const parts = found.length === 1 ? endsIn(found[0]) : found
  if (parts.length === 0 || parts.length > 2) return undefined
  const first = readGirdleEnd(parts[0])
  const last = readGirdleEnd(parts[parts.length - 1])
  if (first === undefined && last === undefined) return undefined
  return girdleBetween(first ?? null, last ?? null)
})

const GIRDLE_WORDS_MAX = 12
/** `MED STK`, `SL THICK VERY THICK`: two ends with only a space between them. */
function endsIn(text: string): string[] {
  const words = text.trim().split(/\s+/)
  const isSentence = words.length > GIRDLE_WORDS_MAX
  if (words.length === 1 || isSentence || readGirdleEnd(text) !== undefined) return [text]
  const pairs = words.slice(1).map((_, at) => {
    return [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]
  })
  return pairs.find((ends) => ends.every((end) => readGirdleEnd(end) !== undefined)) ?? [text]
}

/** Orders two ends: some suppliers write the thick one first. */
export function girdleBetween(thin: Girdle | null, thick: Girdle | null): GirdleReading {
  const isSwapped =
    thin !== null && thick !== null && GIRDLES.indexOf(thin) < GIRDLES.indexOf(thick)
  return isSwapped
    ? { girdle_min: thick, girdle_max: thin }
    : { girdle_min: thin, girdle_max: thick }
}

export const readEyeClean = cached((text: string): 'yes' | 'borderline' | 'no' | undefined => {
  const code = fold(text)
  if (/^(Y|YES|TRUE|1|EYECLEAN|CLEAN|EC|100|100EYECLEAN|E|E0)$/.test(code)) return 'yes'
  if (/^(B|BORDERLINE|ALMOST|NEARLY|MOSTLY|BORDER|SLIGHTLY|90)$/.test(code)) return 'borderline'
  if (/^(N|NO|FALSE|0|NOTEYECLEAN|NOTCLEAN|NOTECLEAN|NEC)$/.test(code)) return 'no'
  return undefined
})
