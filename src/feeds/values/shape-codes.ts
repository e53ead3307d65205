/**
 * Short codes that mean different shapes for different suppliers. The stone itself decides: its
 * ratio, its density (carats per cubic millimetre of length x width x depth) and whether it has a
 * cut grade, which only round stones usually have.
 */
import type { Shape } from '../../reference/attributes.ts'
import type { Measurements } from './measurements.ts'
import { cutCodeOf, readShape, type ShapeReading, unsoldShapeOf } from './shape.ts'
import { fold } from './spelling.ts'

/** What the rest of the file tells about its codes. */
export interface ShapeCodes {
  /** The file grades the cut of other shapes than round, so a cut grade tells nothing. */
  grades_fancies: boolean
}

/** What is known of one stone besides its code. */
interface ShapeEvidence {
  measures: Measurements
  /** Of one stone. */
  weight: number
  hasCutGrade: boolean
}

interface ShapeDoubt {
  reason: string
}

/** The bounds of ratio and density within which a stone can have a shape. */
interface Physics {
  ratioMin: number
  ratioMax: number
  densityMin: number
  densityMax: number
}

/** Round stones weigh about 0.0061, radiant ones 0.0081; outlines with corners weigh more. */
const FULL_MIN = 0.0072
const TAPERED_MAX = 0.0069
const ANY = { densityMin: 0, densityMax: 1 }
const TAPERED = { densityMin: 0.0045, densityMax: TAPERED_MAX }
const FULL = { densityMin: FULL_MIN, densityMax: 0.0125 }

const PHYSICS: Partial<Record<Shape, Physics>> = {
  round: { ratioMin: 1, ratioMax: 1.04, ...TAPERED },
  radiant: { ratioMin: 1, ratioMax: 2.2, ...FULL },
  pear: { ratioMin: 1.15, ratioMax: 2.5, ...TAPERED },
  princess: { ratioMin: 1, ratioMax: 1.14, ...FULL },
  asscher: { ratioMin: 1, ratioMax: 1.1, ...ANY },
  emerald: { ratioMin: 1.15, ratioMax: 3, ...ANY },
  cushion: { ratioMin: 1, ratioMax: 2, densityMin: 0.0066, densityMax: 0.0125 },
  oval: { ratioMin: 1.05, ratioMax: 2.5, densityMin: 0.0045, densityMax: 0.0075 },
  marquise: { ratioMin: 1.4, ratioMax: 3.5, densityMin: 0.0045, densityMax: 0.0075 },
  heart: { ratioMin: 1, ratioMax: 1.4, densityMin: 0.0045, densityMax: 0.0075 },
  triangle: { ratioMin: 1, ratioMax: 1.6, densityMin: 0.0045, densityMax: TAPERED_MAX },
}

/** Both meanings occur, so the stone or the rest of the file has to prove one. */
const TWO_MEANINGS = new Map<string, [Shape, Shape]>([
  ['R', ['round', 'radiant']],
  ['P', ['pear', 'princess']],
  ['AC', ['asscher', 'emerald']],
])

/** One meaning is documented; a stone that cannot have it is rejected. */
const ONE_MEANING = new Set([
  ...['A', 'B', 'C', 'E', 'H', 'M', 'O', 'T'],
  ...['PC', 'PN', 'PR', 'PE', 'RA', 'RC', 'HE', 'OB', 'RO'],
])

/** Nothing tells the shapes that these may mean from each other. */
const UNDECIDABLE = new Map<string, string>([
  ['S', 'princess, asscher or another square shape'],
  ['SQ', 'princess, asscher or another square shape'],
  ['SQR', 'princess, asscher or another square shape'],
  ['SQUARE', 'princess, asscher or another square shape'],
  ['TP', 'tapered baguette or trapezoid'],
])

const CODE_CHARS_MAX = 6

/** Returns whether a text is a shape, or something that this file gives a reason for. */
export function isShapeText(text: string): boolean {
  return (
    readShape(text) !== undefined ||
    unsoldShapeOf(text) !== undefined ||
    (text.length <= CODE_CHARS_MAX && UNDECIDABLE.has(fold(text)))
  )
}

/** Reads a shape; of a code with two meanings, the one that this stone can only have. */
export function decideShape(
  text: string,
  codes: ShapeCodes,
  evidence: ShapeEvidence,
): ShapeReading | ShapeDoubt {
  const code = text.length > CODE_CHARS_MAX ? '' : fold(text)
  const meanings = TWO_MEANINGS.get(code)
  if (meanings) return decideBetween(text, meanings, codes, evidence)
  const options = UNDECIDABLE.get(code)
  if (options) return { reason: `The shape may be ${options}` }
  const reading = readShape(text)
  if (!reading) return { reason: unknownReason(text) }
  if (ONE_MEANING.has(code) && fitOf(reading.shape, evidence) === 'no') {
    return { reason: `The code ${code} means ${reading.shape}, which the measurements contradict` }
  }
  return reading
}

function unknownReason(text: string): string {
  if (text === '') return 'The shape is missing'
  const name = unsoldShapeOf(text)
  return name === undefined ? 'The shape is not known' : `${name} is not sold here`
}

function decideBetween(
  text: string,
  [first, second]: [Shape, Shape],
  codes: ShapeCodes,
  evidence: ShapeEvidence,
): ShapeReading | ShapeDoubt {
  const fits = [fitOf(first, evidence), fitOf(second, evidence)]
  const shape = possibleShape([first, second], fits) ?? gradedShape(first, fits, codes, evidence)
  if (shape) return { shape, cut_code: cutCodeOf(shape, fold(text)) }
  const isMeasured = evidence.measures.length !== undefined
  const lack = isMeasured ? 'the measurements do not tell which' : 'there are no measurements'
  return { reason: `The code may mean ${first} or ${second}, and ${lack}` }
}

/** One meaning must be impossible and the other not. */
function possibleShape([first, second]: [Shape, Shape], fits: Fit[]): Shape | undefined {
  if ((fits[0] === 'no') === (fits[1] === 'no')) return undefined
  return fits[0] === 'no' ? second : first
}

/** Only round stones have a cut grade, unless the file grades others too. */
function gradedShape(
  first: Shape,
  fits: Fit[],
  { grades_fancies }: ShapeCodes,
  { hasCutGrade }: ShapeEvidence,
): Shape | undefined {
  const isPossible = first === 'round' && fits[0] !== 'no'
  return isPossible && hasCutGrade && !grades_fancies ? first : undefined
}

type Fit = 'yes' | 'no' | 'unknown'

function fitOf(shape: Shape, { measures, weight }: ShapeEvidence): Fit {
  const bounds = PHYSICS[shape]
  const { length, width, depth } = measures
  if (bounds === undefined || length === undefined || width === undefined) return 'unknown'
  const ratio = length / width
  if (ratio < bounds.ratioMin || ratio > bounds.ratioMax) return 'no'
  if (depth === undefined) return 'unknown'
  const density = weight / (length * width * depth)
  return density < bounds.densityMin || density > bounds.densityMax ? 'no' : 'yes'
}

/** Fewer graded stones of other shapes may be mistakes. */
const GRADED_SHARE_MIN = 0.1

/** Learns from the sample whether other shapes than round have a cut grade. */
export function learnShapeCodes(
  stones: { shape: string; hasCutGrade: boolean }[],
  before: ShapeCodes | undefined,
): ShapeCodes {
  let fancies = 0
  let graded = 0
  for (const { shape: text, hasCutGrade } of stones) {
    const shape = TWO_MEANINGS.has(fold(text)) ? undefined : readShape(text)?.shape
    if (shape === undefined || shape === 'round') continue
    fancies++
    if (hasCutGrade) graded++
  }
  const isGraded = graded > fancies * GRADED_SHARE_MIN
  return { grades_fancies: isGraded || before?.grades_fancies === true }
}

/** What stones of a shape usually weigh, in carats per cubic millimetre. */
export function usualDensityOf(shape: Shape | undefined): number {
  const isFull = shape !== undefined && (PHYSICS[shape]?.densityMax ?? 1) > 0.0075
  return shape === undefined ? 0.007 : isFull ? 0.0083 : 0.0061
}
