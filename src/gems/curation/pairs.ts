import { GEM_TYPES } from '../../reference/attributes.ts'
import { type Candidate, type Make, pointsOf } from './make.ts'

/**
 * A pair is two stones of one type whose weights differ by at most 4 %, length and width by at
 * most 2 % (of the smaller), and color and clarity by at most one grade. Each of the five may
 * cost 100 points at its limit; the pair with the fewest points in all is the best matched one.
 */
const POINTS_AT_LIMIT = 100
/** Color or clarity differ by one grade: two stones of one grade can cost less than that. */
export const POINTS_OF_A_GRADE = POINTS_AT_LIMIT
const LIMIT_PERCENT = { weight: 4, length: 2, width: 2 } as const

interface PairDifference {
  /** In percent of the smaller. */
  weight: number
  length: number
  width: number
  /** In grades. */
  color: number
  clarity: number
  points: number
}

/** How two stones differ, or undefined when they do not make a pair. */
export function pairDifference(a: Candidate, b: Candidate): PairDifference | undefined {
  if (a.type !== b.type || !isMeasured(a) || !isMeasured(b)) return undefined
  const points = pairPoints(a, b)
  if (points === NOT_A_PAIR) return undefined
  return {
    weight: percentApart(a.weight, b.weight),
    length: percentApart(a.length, b.length),
    width: percentApart(a.width, b.width),
    color: Math.abs(a.color - b.color),
    clarity: Math.abs(a.clarity - b.clarity),
    points,
  }
}

/** Above any number of points. */
const NOT_A_PAIR = Number.POSITIVE_INFINITY

/** The difference of two stones of one type in points. */
function pairPoints(a: Measured, b: Measured): number {
  const grades = Math.abs(a.color - b.color) + Math.abs(a.clarity - b.clarity)
  if (Math.abs(a.color - b.color) > 1 || Math.abs(a.clarity - b.clarity) > 1) return NOT_A_PAIR
  const width = percentApart(a.width, b.width)
  const length = percentApart(a.length, b.length)
  const weight = percentApart(a.weight, b.weight)
  if (width > LIMIT_PERCENT.width || length > LIMIT_PERCENT.length) return NOT_A_PAIR
  if (weight > LIMIT_PERCENT.weight) return NOT_A_PAIR
  return (
    grades * POINTS_AT_LIMIT +
    pointsFor(weight, LIMIT_PERCENT.weight) +
    pointsFor(length, LIMIT_PERCENT.length) +
    pointsFor(width, LIMIT_PERCENT.width)
  )
}

function percentApart(a: number, b: number): number {
  return (Math.abs(a - b) * 100) / Math.min(a, b)
}

function pointsFor(percent: number, limitPercent: number): number {
  return Math.ceil((percent * POINTS_AT_LIMIT) / limitPercent)
}

export interface BestPair {
  pair: Pair | undefined
  points: number
}

/** The best matched pair; of equally matched ones the better made, then the cheaper. */
export function findBestPair(stones: readonly Candidate[], make: Make): Pair | undefined {
  let best: BestPair = { pair: undefined, points: Number.MAX_VALUE }
  for (const type of GEM_TYPES) {
    const sorted = stones.filter((stone) => stone.type === type && isMeasured(stone)) as Measured[]
    sorted.sort(compareMeasurements)
    best = matchSorted(sorted, make, best)
  }
  return best.pair && orderPair(best.pair, make)
}

/** The best of the given pair and all pairs of the stones, which are of one type and in order. */
export function matchSorted(
  sorted: readonly Measured[],
  make: Make,
  { pair, points }: BestPair = { pair: undefined, points: Number.MAX_VALUE },
): BestPair {
  const best = { pair, points }
  for (let i = 0; i < sorted.length; i++) findPartner(sorted, i, best, make)
  return best
}

/** Whether the first pair is preferred: it is better matched, or as well and better made. */
export function isPreferred(a: BestPair, b: BestPair, make: Make): boolean {
  if (!a.pair || !b.pair) return a.pair !== undefined
  return a.points < b.points || (a.points === b.points && isBetter(a.pair, b.pair, make))
}

/** By length, width and weight; a stone without measurements is in no pair: its place is free. */
export function compareMeasurements(a: Candidate, b: Candidate): number {
  return (a.length ?? 0) - (b.length ?? 0) || (a.width ?? 0) - (b.width ?? 0) || a.weight - b.weight
}

/** Tries the stones behind stone `i`, which are not shorter, as its partners. */
function findPartner(sorted: readonly Measured[], i: number, best: BestPair, make: Make): void {
  const a = sorted[i]
  for (let j = i + 1; j < sorted.length; j++) {
    const b = sorted[j]
    // Every later partner is longer still: too long for a pair, or for a better one.
    const longer = percentApart(a.length, b.length)
    if (longer > LIMIT_PERCENT.length) return
    if (pointsFor(longer, LIMIT_PERCENT.length) > best.points) return
    // Stones of one length are ordered by width, and nothing is better than no difference.
    if (best.points === 0 && b.width !== a.width) return
    const points = pairPoints(a, b)
    if (points > best.points) continue
    if (points < best.points || !best.pair || isBetter([a, b], best.pair, make)) {
      best.pair = [a, b]
      best.points = points
    }
  }
}

export type Measured = Candidate & { length: number; width: number }

export function isMeasured(stone: Candidate): stone is Measured {
  return stone.length !== null && stone.width !== null
}

/** Whether the first of two equally matched pairs is preferred. */
function isBetter(a: Pair, b: Pair, make: Make): boolean {
  return compareRanks(pairRank(a, make), pairRank(b, make)) < 0
}

type Pair = [Candidate, Candidate]

function pairRank([a, b]: Pair, make: Make): number[] {
  const points = pointsOf(make, a) + pointsOf(make, b)
  return [points, a.price + b.price, Math.min(a.id, b.id), Math.max(a.id, b.id)]
}

export function orderPair(pair: Pair, make: Make): Pair {
  const rank = (stone: Candidate) => [pointsOf(make, stone), stone.price, stone.id]
  return pair.toSorted((a, b) => compareRanks(rank(a), rank(b))) as Pair
}

/** Compares ranks position by position; the lower one is preferred. */
export function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [position, value] of a.entries()) {
    if (value !== b[position]) return value - b[position]
  }
  return 0
}
