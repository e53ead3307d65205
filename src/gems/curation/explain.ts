import { CLARITIES, COLORS } from '../../reference/attributes.ts'
import {
  type Candidate,
  MAKE_PERCENTS,
  MAKE_WORDS,
  type Make,
  type MakePercent,
  type MakeWord,
  makeOf,
  percentPoints,
  pointsOf,
  wordPoints,
} from './make.ts'
import { pairDifference } from './pairs.ts'
import { type Choice, type CurationQuery, WINDOWS, windowOf } from './rule.ts'

/** Why a stone was chosen, in words for a jeweller. */
export interface Explanation {
  /** 100 is made exactly as the grade asks, and a perfect match when it is one of a pair. */
  score: number
  reasons: string[]
}

const SCORE_BEST = 100
/** A pair may differ by 500 points; they weigh as much as 100 of its make. */
const DIFFERENCE_PER_POINT = 5

export function explain(choice: Choice, stone: Candidate, query: CurationQuery): Explanation {
  const { template } = choice
  const make = makeOf(query.shape, template.grade_name)
  const partner = choice.stones.find((other) => other !== stone)
  const difference = partner && pairDifference(stone, partner)
  const points = pointsOf(make, stone) + (difference?.points ?? 0) / DIFFERENCE_PER_POINT
  return {
    score: Math.max(0, Math.round(SCORE_BEST - points)),
    reasons: [
      weightReason(choice, stone, query),
      `Color ${COLORS[stone.color]} and clarity ${CLARITIES[stone.clarity]} are at least ` +
        `${template.color} and ${template.clarity}.`,
      ...makeReasons(make, stone, template.grade_name),
      difference
        ? `It differs from its partner by ${percent(difference.weight)} in weight, ` +
          `${percent(difference.length)} in length, ${percent(difference.width)} in width, ` +
          `${grades(difference.color)} of color and ${grades(difference.clarity)} of clarity.`
        : 'No stone of a make as good costs less.',
    ],
  }
}

function weightReason({ stones }: Choice, stone: Candidate, query: CurationQuery): string {
  const window = Math.max(...stones.map(({ weight }) => windowOf(weight, query)))
  const { below, above } = WINDOWS[window]
  const within = `Its ${carats(stone.weight)} lie within -${below} % and +${above} % of`
  const widened = window === 0 ? '' : '; the window was widened, because nothing nearer was free'
  return `${within} ${carats(query.weight)}${widened}.`
}

const PART_WORDS: Record<MakeWord | MakePercent, string> = {
  cut_grade: 'Cut',
  polish_grade: 'Polish',
  symmetry_grade: 'Symmetry',
  fluorescence: 'Fluorescence',
  girdle_max: 'The thick end of the girdle',
  girdle_min: 'The thin end of the girdle',
  depth_percentage: 'Depth %',
  table_percentage: 'Table %',
}

/** One sentence for each deviation from the make, or one that says that there is none. */
function makeReasons(make: Make, stone: Candidate, grade: string): string[] {
  const reasons: string[] = []
  const add = (part: MakeWord | MakePercent, points: number) => {
    if (points === 0) return
    const value = stone[part] ?? 'unknown'
    reasons.push(`${PART_WORDS[part]} is ${value}, ${grade} asks for ${make[part]}: -${points}.`)
  }
  for (const part of MAKE_WORDS) add(part, wordPoints(make, part, stone[part]))
  for (const part of MAKE_PERCENTS) add(part, percentPoints(make, part, stone[part]))
  return reasons.length > 0 ? reasons : [`It is made as ${grade} asks for its shape.`]
}

function carats(weight: number): string {
  return `${weight / 10_000} ct`
}

function percent(value: number): string {
  return `${Number(value.toFixed(2))} %`
}

function grades(count: number): string {
  return `${count} ${count === 1 ? 'grade' : 'grades'}`
}
