import {
  type CandidateSearch,
  collectCandidates,
  readCandidates,
} from '../src/gems/curation/candidates.ts'
import { curateFrom } from '../src/gems/curation/choose.ts'
import { curate, WINDOWS } from '../src/gems/curation/rule.ts'
import { gemColumnsOf } from '../src/gems/indexing/columns.ts'
import { DIAMOND_FIELDS } from '../src/gems/search/field-tables.ts'
import { buildSegment, newRows, newStore, putRow, type Store } from '../src/index/index.ts'
import type { Shape } from '../src/reference/attributes.ts'
import { PREDEFINED_TEMPLATES } from '../src/reference/defaults.ts'
import { type BenchStone, benchStone, randomFrom } from './curation/stones.ts'
import { buildWhenStale } from './support/built.ts'

/**
 * How much processor time a curated search takes in memory; the wall clock says little on a
 * machine that does other work. Each search is compared with the same rule applied to all
 * candidates, without the shortlist.
 *
 *     npx tsx bench/curation.ts [stones]     1,000,000 unless given
 */
buildWhenStale()
const stones = Number(process.argv[2] ?? 1_000_000)
const store = fill(stones)
const searches: [string, Shape, number][] = [
  ['round 1.00 ct', 'round', 1],
  ['round 0.30 ct', 'round', 0.3],
  ['oval 1.50 ct', 'oval', 1.5],
  ['pear 2.13 ct', 'pear', 2.13],
  ['heart 4.90 ct', 'heart', 4.9],
]

for (const [name, shape, carats] of searches) {
  for (const pairs of [false, true]) {
    const search: CandidateSearch<(typeof PREDEFINED_TEMPLATES)[number]> = {
      shape,
      weight: Math.round(carats * 10_000),
      pairs,
      templates: PREDEFINED_TEMPLATES,
      types: ['mined', 'lab grown'],
      ratioMin: Number.NEGATIVE_INFINITY,
      ratioMax: Number.POSITIVE_INFINITY,
      terms: { list: 'us', adjustment: null },
      ownHeld: new Set(),
    }
    const fast = timesOf(40, () => curateFrom(store, search))

    const whole = () =>
      curate(readCandidates(collectCandidates(store, search, WINDOWS.length)), search)
    const slow = timesOf(3, whole)
    const [p50, p99] = [percentile(fast, 0.5), percentile(fast, 0.99)]
    const line = [
      `${name} ${pairs ? 'pairs  ' : 'singles'}`.padEnd(24),
      `p50 ${p50.toFixed(2)} ms`.padEnd(14),
      `p99 ${p99.toFixed(2)} ms`.padEnd(14),
      `over all candidates ${percentile(slow, 0.5).toFixed(0)} ms`.padEnd(30),
      `${(percentile(slow, 0.5) / p50).toFixed(0)} x`,
    ]
    console.log(line.join('  '))
  }
}

function fill(count: number): Store {
  const columns = gemColumnsOf(DIAMOND_FIELDS)
  const random = randomFrom(7)
  const rows = newRows(columns.spec)
  for (let n = 1; n <= count; n++) {
    const stone = benchStone(n, random)
    const printed = columns.sources.map((name) => printValue(stone, n, name))
    const { id, values } = columns.read(printed, rows.dictionaries)
    putRow(rows, rows.size, id, values)
  }
  return newStore(columns.spec, buildSegment(rows))
}

function printValue(stone: BenchStone, id: number, name: string): string | null {
  if (name === 'id') return String(id)
  if (name === 'has_media') return stone.image_top_url === null ? 'f' : 't'
  if (name === 'on_hold') return 'f'
  if (name === 'created_on' || name === 'updated_on') return String(1e15 + id)
  const value = stone[name]
  if (typeof value === 'boolean') return value ? 't' : 'f'
  return value === null || value === undefined ? null : String(value)
}

function timesOf(rounds: number, work: () => unknown): number[] {
  work()
  return Array.from({ length: rounds }, () => {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
}

function percentile(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
