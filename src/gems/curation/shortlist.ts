import { codeAt, idAt, type View } from '../../index/index.ts'
import { type CandidateRows, type CandidateSearch, candidateReader } from './candidates.ts'
import {
  type Candidate,
  MAKE_PERCENTS,
  MAKE_WORDS,
  type Make,
  makeOf,
  percentPoints,
  wordPoints,
} from './make.ts'
import { floorOf, windowOf } from './rule.ts'

/**
 * Most candidates can be left out before the rule is applied, because they cannot be chosen. The
 * functions here work on one column at a time, so that tens of thousands of candidates take a
 * millisecond.
 */

/**
 * Of the stones whose make costs at most `pointsMax`, those that can be chosen. The templates
 * before the n-th take at most n - 1 stones, so its choice is among the n that it prefers.
 */
export function shortlistSingles(
  candidates: CandidateRows,
  search: CandidateSearch,
  pointsMax: number,
): Candidate[] {
  const preferred = search.templates.map((template, position) => ({
    floor: floorOf(template),
    grade: template.grade_name,
    best: newBest(position + 1),
  }))
  const grades = new Set(search.templates.map(({ grade_name }) => grade_name))
  for (const { view, rows } of candidates.parts) {
    for (const grade of grades) {
      const make = makeOf(search.shape, grade)
      const made = filterWellMade(candidates, view, rows, make, pointsMax)
      const choosers = preferred.filter((chooser) => chooser.grade === grade)
      offerAll(candidates, view, made, choosers, search)
    }
  }
  const shortlist = new Map<number, Candidate>()
  for (const { best } of preferred) {
    for (const { view, row, id } of best.offers) {
      shortlist.set(id, candidateReader(candidates, view)(row))
    }
  }
  return [...shortlist.values()]
}

interface Made {
  rows: Uint32Array
  points: Uint16Array
  count: number
}

/** Adds up the points of the make, part by part, and drops a row once it costs too much. */
function filterWellMade(
  { store }: CandidateRows,
  view: View,
  rows: Uint32Array,
  make: Make,
  pointsMax: number,
): Made {
  const made = { rows: rows.slice(), points: new Uint16Array(rows.length), count: rows.length }
  // The percentages come first because they leave out most rows.
  for (const part of MAKE_PERCENTS) {
    const { values, base, none } = view.numbers[part]
    const costs = new Int16Array(PERCENT_SPAN).fill(-1)
    filterByPoints(made, pointsMax, (row) => {
      const value = values[row] === none ? NO_PERCENT : values[row] + base
      if (costs[value] < 0) {
        costs[value] = percentPoints(make, part, value === NO_PERCENT ? null : value / 100)
      }
      return costs[value]
    })
  }
  for (const part of MAKE_WORDS) {
    const costs = store.dictionaries[part].values.map((word) => wordPoints(make, part, word))
    const codes = view.codes[part]
    filterByPoints(made, pointsMax, (row) => costs[codeAt(codes, row)])
  }
  return made
}

/** Percentages in hundredths, and one more number for an unknown one. */
const NO_PERCENT = 10_001
const PERCENT_SPAN = NO_PERCENT + 1

function filterByPoints(made: Made, pointsMax: number, cost: (row: number) => number): void {
  const { rows, points } = made
  let count = 0
  for (let i = 0; i < made.count; i++) {
    const sum = points[i] + cost(rows[i])
    if (sum > pointsMax) continue
    rows[count] = rows[i]
    points[count++] = sum
  }
  made.count = count
}

interface Chooser {
  floor: { color: number; clarity: number }
  best: Best
}

function offerAll(
  candidates: CandidateRows,
  view: View,
  made: Made,
  choosers: readonly Chooser[],
  search: CandidateSearch,
): void {
  const price = candidates.priceReader(view)
  const weights = view.numbers.weight
  const { color: colors, clarity: clarities } = view.codes
  for (const { floor, best } of choosers) {
    for (let i = 0; i < made.count; i++) {
      const row = made.rows[i]
      if (codeAt(colors, row) > floor.color + 1) continue
      if (codeAt(clarities, row) > floor.clarity + 1) continue
      const window = windowOf(weights.values[row] + weights.base, search)
      const rank = (window * POINTS_SPAN + made.points[i]) * PRICE_SPAN + price(row)
      if (rank > best.worst) continue
      offer(best, { rank, id: idAt(view, row), view, row })
    }
  }
}

/** Prices are below 2^40 cents, points below 2^10, windows below 2^3: a rank is exact. */
const PRICE_SPAN = 2 ** 40
const POINTS_SPAN = 2 ** 10

/** The best few of the stones that were offered, in order. */
interface Best {
  size: number
  offers: Offer[]
  /** An offer above this rank is of no use. */
  worst: number
}

interface Offer {
  rank: number
  id: number
  view: View
  row: number
}

function newBest(size: number): Best {
  return { size, offers: [], worst: Number.POSITIVE_INFINITY }
}

function offer(best: Best, made: Offer): void {
  const { offers, size } = best
  let position = offers.length
  while (position > 0 && isPreferred(made, offers[position - 1])) position--
  if (position === size) return
  offers.splice(position, 0, made)
  if (offers.length > size) offers.pop()
  if (offers.length === size) best.worst = offers[size - 1].rank
}

function isPreferred(a: Offer, b: Offer): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.id < b.id)
}

/**
 * The stones that have an identical one: the same type, grades, weight and measurements. All pairs
 * without any difference are among them; a few others come along because their hashes collide.
 */
export function shortlistIdentical(candidates: CandidateRows): Candidate[] {
  const bits = hashBitsFor(candidates.parts.reduce((sum, { rows }) => sum + rows.length, 0))
  const counts = new Uint8Array(2 ** bits)
  const hashed = candidates.parts.map(({ view, rows }) => ({
    view,
    rows,
    hashes: hashRows(view, rows, bits),
  }))
  for (const { hashes } of hashed) for (const hash of hashes) if (counts[hash] < 2) counts[hash]++
  const identical: Candidate[] = []
  for (const { view, rows, hashes } of hashed) {
    const read = candidateReader(candidates, view)
    for (let i = 0; i < rows.length; i++) if (counts[hashes[i]] === 2) identical.push(read(rows[i]))
  }
  return identical
}

/** So many hashes for each stone that about one stone in forty comes along by chance. */
const HASHES_PER_STONE = 40

function hashBitsFor(stones: number): number {
  return Math.min(22, Math.max(8, Math.ceil(Math.log2(stones * HASHES_PER_STONE))))
}

function hashRows(view: View, rows: Uint32Array, bits: number): Uint32Array {
  const hashes = new Uint32Array(rows.length)
  const mix = (value: (row: number) => number) => {
    for (let i = 0; i < rows.length; i++) {
      hashes[i] = Math.imul(hashes[i] ^ value(rows[i]), 0x9e3779b1) >>> 0
      hashes[i] ^= hashes[i] >>> 15
    }
  }
  for (const name of ['type', 'color', 'clarity']) {
    const codes = view.codes[name]
    mix((row) => codeAt(codes, row))
  }
  for (const name of ['weight', 'length', 'width']) {
    const { values, base } = view.numbers[name]
    mix((row) => values[row] + base)
  }
  for (let i = 0; i < rows.length; i++) hashes[i] >>>= 32 - bits
  return hashes
}
