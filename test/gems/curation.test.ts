import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CandidateSearch,
  collectCandidates,
  readCandidates,
} from '../../src/gems/curation/candidates.ts'
import { curateFrom } from '../../src/gems/curation/choose.ts'
import { explain } from '../../src/gems/curation/explain.ts'
import { type Candidate, makeOf, pointsOf } from '../../src/gems/curation/make.ts'
import { pairDifference } from '../../src/gems/curation/pairs.ts'
import {
  type Choice,
  type CurationQuery,
  type CurationTemplate,
  curate,
  meetsFloor,
  WINDOWS,
  windowOf,
} from '../../src/gems/curation/rule.ts'
import { gemColumnsOf } from '../../src/gems/indexing/columns.ts'
import { DIAMOND_FIELDS } from '../../src/gems/search/field-tables.ts'
import { buildSegment, newRows, newStore, putRow, type Store } from '../../src/index/index.ts'
import { applyFactor, factorOf } from '../../src/pricing/factor.ts'
import {
  CLARITIES,
  COLORS,
  CUT_GRADES,
  FINISH_GRADES,
  FLUORESCENCES,
  GEM_TYPES,
  GIRDLES,
  SHAPES,
} from '../../src/reference/attributes.ts'
import {
  DEFAULT_TEMPLATES,
  GRADE_NAMES,
  PREDEFINED_TEMPLATES,
} from '../../src/reference/defaults.ts'

/** Few values, so that stones are often equal and every tie occurs. */
const candidateArbitrary = (id: number): fc.Arbitrary<Candidate> =>
  fc.record({
    id: fc.constant(id),
    type: fc.constantFrom(...GEM_TYPES),
    weight: fc.constantFrom(8_900, 9_000, 9_300, 9_800, 10_000, 10_100, 10_800, 10_801, 12_000),
    color: fc.integer({ min: 0, max: 9 }),
    clarity: fc.integer({ min: 0, max: 8 }),
    cut_grade: fc.constantFrom('IDL', 'EX', 'VG', null),
    polish_grade: fc.constantFrom('EX', 'VG', 'G', null),
    symmetry_grade: fc.constantFrom('EX', 'VG', null),
    fluorescence: fc.constantFrom('None', 'Faint', 'Strong', null),
    girdle_max: fc.constantFrom('MD', 'TK', null),
    girdle_min: fc.constantFrom('MD', 'TN', null),
    depth_percentage: fc.constantFrom(60.5, 61.5, 61.9, 64, null),
    table_percentage: fc.constantFrom(56, 56.5, 60, null),
    length: fc.constantFrom(6_400, 6_410, 6_480, 6_600, null),
    width: fc.constantFrom(6_380, 6_400, 6_500),
    price: fc.constantFrom(90_000, 100_000, 100_001, 120_000),
  })

const stockArbitrary = (most: number) =>
  fc
    .integer({ min: 0, max: most })
    .chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => candidateArbitrary(i + 1))))
    .map((stones) => stones as Candidate[])

const templateArbitrary = fc.record({
  color: fc.constantFrom('D', 'F', 'H', 'K'),
  clarity: fc.constantFrom('VVS1', 'VS1', 'SI2'),
  grade_name: fc.constantFrom(...GRADE_NAMES),
})

const queryArbitrary: fc.Arbitrary<CurationQuery> = fc.record({
  shape: fc.constantFrom('round', 'oval', 'heart'),
  weight: fc.constant(10_000),
  pairs: fc.boolean(),
  templates: fc.array(templateArbitrary, { minLength: 1, maxLength: 4 }),
})

const anything = [stockArbitrary(40), queryArbitrary] as const
const ids = (choices: Choice[]) => choices.map(({ stones }) => stones.map(({ id }) => id))

describe('the rule of curated search', () => {
  it('never goes below the color or the clarity of the template', () => {
    fc.assert(
      fc.property(...anything, (stock, query) => {
        for (const { template, stones } of curate(stock, query)) {
          for (const stone of stones) {
            expect(COLORS.indexOf(template.color as 'F')).toBeGreaterThanOrEqual(stone.color)
            expect(CLARITIES.indexOf(template.clarity as 'VS1')).toBeGreaterThanOrEqual(
              stone.clarity,
            )
          }
        }
      }),
    )
  })

  it('stays in the first window unless the template would stay empty', () => {
    fc.assert(
      fc.property(...anything, (stock, query) => {
        const taken = new Set<number>()
        for (const { template, stones } of curate(stock, query)) {
          const window = Math.max(...stones.map(({ weight }) => windowOf(weight, query)))
          expect(window).toBeGreaterThanOrEqual(0)
          const nearer = stock.filter(
            (stone) =>
              !taken.has(stone.id) &&
              meetsFloor(stone, template) &&
              windowOf(stone.weight, query) >= 0 &&
              windowOf(stone.weight, query) < window,
          )
          if (!query.pairs) expect(nearer).toEqual([])
          else for (const a of nearer) for (const b of nearer) expect(arePair(a, b)).toBe(false)
          for (const { id } of stones) taken.add(id)
        }
      }),
    )
  })

  it('gives a stone to one template only, in the order of the templates', () => {
    fc.assert(
      fc.property(...anything, (stock, query) => {
        const choices = curate(stock, query)
        const chosen = ids(choices).flat()
        expect(new Set(chosen).size).toBe(chosen.length)
        const order = choices.map(({ template }) => query.templates.indexOf(template))
        expect(order).toEqual(order.toSorted((a, b) => a - b))
      }),
    )
  })

  it('does not depend on the order in which stones are listed', () => {
    fc.assert(
      fc.property(...anything, fc.integer(), (stock, query, seed) => {
        const shuffled = stock.toSorted(
          (a, b) => ((a.id * 7919 + seed) % 97) - ((b.id * 7919 + seed) % 97),
        )
        expect(ids(curate(shuffled, query))).toEqual(ids(curate(stock, query)))
      }),
    )
  })

  it('chooses for every template at least as well when the stock grows', () => {
    fc.assert(
      fc.property(...anything, fc.nat(), (stock, query, leftOut) => {
        const smaller = stock.filter((_, place) => place !== leftOut % (stock.length + 1))
        const before = rankings(smaller, query)
        const after = rankings(stock, query)
        // When an earlier template finds a better pair, it may take a stone that a later one had.
        const places = query.pairs ? [firstDifference(before, after)] : before.keys()
        for (const place of places) {
          if (place >= 0) expect(compare(after[place], before[place])).toBeLessThanOrEqual(0)
        }
      }),
    )
  })

  it('finds the single stone that trying all of them finds', () => {
    fc.assert(
      fc.property(stockArbitrary(30), templateArbitrary, (stock, template) => {
        const query = {
          shape: 'round',
          weight: 10_000,
          pairs: false,
          templates: [template],
        } as const
        const best = stock
          .filter((stone) => meetsFloor(stone, template) && windowOf(stone.weight, query) >= 0)
          .toSorted((a, b) => compare(rankOf([a], template, query), rankOf([b], template, query)))
        expect(ids(curate(stock, query)).flat()).toEqual(best.slice(0, 1).map(({ id }) => id))
      }),
    )
  })

  it('finds the pair that trying all of them finds', () => {
    fc.assert(
      fc.property(stockArbitrary(25), templateArbitrary, (stock, template) => {
        const query = { shape: 'oval', weight: 10_000, pairs: true, templates: [template] } as const
        const fitting = stock.filter(
          (stone) => meetsFloor(stone, template) && windowOf(stone.weight, query) >= 0,
        )
        const pairs = fitting
          .flatMap((a) => fitting.filter((b) => a.id < b.id && arePair(a, b)).map((b) => [a, b]))
          .toSorted((a, b) => compare(rankOf(a, template, query), rankOf(b, template, query)))
        const found = ids(curate(stock, query)).flat()
        expect(found.toSorted((a, b) => a - b)).toEqual((pairs[0] ?? []).map(({ id }) => id))
      }),
    )
  })
})

function arePair(a: Candidate, b: Candidate): boolean {
  if (a === b || a.type !== b.type) return false
  if (a.length === null || b.length === null || a.width === null || b.width === null) return false
  const apart = (x: number, y: number) => Math.max(x, y) / Math.min(x, y) - 1
  return (
    apart(a.weight, b.weight) <= 0.04 + 1e-12 &&
    apart(a.length, b.length) <= 0.02 + 1e-12 &&
    apart(a.width, b.width) <= 0.02 + 1e-12 &&
    Math.abs(a.color - b.color) <= 1 &&
    Math.abs(a.clarity - b.clarity) <= 1
  )
}

/** The rank by which choices are compared. The ids come last, so that no two are equal. */
function rankOf(stones: readonly Candidate[], template: CurationTemplate, query: CurationQuery) {
  const make = makeOf(query.shape, template.grade_name)
  const sum = (value: (stone: Candidate) => number) =>
    stones.reduce((total, stone) => total + value(stone), 0)
  return [
    Math.max(...stones.map(({ weight }) => windowOf(weight, query))),
    stones.length === 2 ? pairDifference(stones[0], stones[1])!.points : 0,
    sum((stone) => pointsOf(make, stone)),
    sum(({ price }) => price),
    ...stones.map(({ id }) => id).toSorted((a, b) => a - b),
  ]
}

const NOTHING = [Number.POSITIVE_INFINITY]

function rankings(stock: Candidate[], query: CurationQuery): number[][] {
  const choices = curate(stock, query)
  return query.templates.map((template) => {
    const choice = choices.find((candidate) => candidate.template === template)
    return choice ? rankOf(choice.stones, template, query) : NOTHING
  })
}

function firstDifference(a: number[][], b: number[][]): number {
  return a.findIndex((rank, place) => compare(rank, b[place]) !== 0)
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [place, value] of a.entries()) {
    if (value !== b[place]) return value < b[place] ? -1 : 1
  }
  return 0
}

describe('the weight window', () => {
  it('includes both ends of -2 % and +8 %, and widens to -10 % and +20 %', () => {
    const window = (weight: number) => windowOf(weight, { weight: 10_000 })
    expect([9_800, 10_000, 10_800].map(window)).toEqual([0, 0, 0])
    expect([9_799, 10_801].map(window)).toEqual([1, 1])
    expect([9_000, 12_000].map(window)).toEqual([WINDOWS.length - 1, WINDOWS.length - 1])
    expect([8_999, 12_001].map(window)).toEqual([-1, -1])
    expect(windowOf(12_960, { weight: 12_000 })).toBe(0)
  })
})

describe('the points of a make', () => {
  it('are 0 for the default template of every shape and grade', () => {
    for (const [shape, grades] of Object.entries(DEFAULT_TEMPLATES)) {
      for (const grade of GRADE_NAMES) {
        expect(pointsOf(makeOf(shape as 'round', grade), grades[grade])).toBe(0)
      }
    }
  })

  it('count deviations of cut, finish, fluorescence, girdle and proportions, but not better ones', () => {
    const make = makeOf('round', 'ideal')
    const perfect = DEFAULT_TEMPLATES.round.ideal
    const cost = (change: object) => pointsOf(make, { ...perfect, ...change })
    expect(cost({ cut_grade: 'IDL' })).toBe(0)
    expect(cost({ cut_grade: 'VG' })).toBe(6)
    expect(cost({ polish_grade: 'G' })).toBe(6)
    expect(cost({ symmetry_grade: null })).toBe(3)
    expect(cost({ fluorescence: 'Strong' })).toBe(8)
    expect(cost({ girdle_max: 'TK', girdle_min: 'TN' })).toBe(3)
    expect(cost({ depth_percentage: 62.5 })).toBe(2)
    expect(cost({ table_percentage: 57.4 })).toBe(0)
    expect(cost({ depth_percentage: null, table_percentage: null })).toBe(8)
  })

  it('ignore the proportions of a shape without default templates', () => {
    const make = makeOf('heart', 'excellent')
    const stone = { ...DEFAULT_TEMPLATES.oval.excellent, depth_percentage: 90, table_percentage: 9 }
    expect(pointsOf(make, stone)).toBe(0)
  })
})

describe('the explanation', () => {
  it('names the weight, the grades, every deviation and the score', () => {
    const stone: Candidate = {
      ...DEFAULT_TEMPLATES.round.ideal,
      id: 1,
      type: 'mined',
      weight: 10_500,
      color: 2,
      clarity: 3,
      length: 6_500,
      width: 6_480,
      price: 1,
      cut_grade: 'VG',
    }
    const query = {
      shape: 'round',
      weight: 10_000,
      pairs: false,
      templates: PREDEFINED_TEMPLATES,
    } as const
    const [choice] = curate([stone], query)
    const { score, reasons } = explain(choice, stone, query)
    expect(score).toBe(94)
    expect(reasons).toEqual([
      'Its 1.05 ct lie within -2 % and +8 % of 1 ct.',
      'Color F and clarity VVS2 are at least F and VS1.',
      'Cut is VG, ideal asks for EX: -6.',
      'No stone of a make as good costs less.',
    ])
  })
})

describe('curated search over the index', () => {
  const columns = gemColumnsOf(DIAMOND_FIELDS)
  const percentFactor = fc
    .constantFrom(-5_000, -1_111, 0, 1_111, 5_000)
    .map((hundredths) => factorOf(hundredths, 10n ** 8n))
  const rowArbitrary = (id: number) =>
    fc
      .record({
        type: fc.constantFrom(...GEM_TYPES),
        shape: fc.constantFrom(...SHAPES.filter((shape) => ['round', 'heart'].includes(shape))),
        weight: fc.constantFrom('0.9', '0.97', '1', '1.01', '1.08', '1.2'),
        color: fc.constantFrom('D', 'F', 'G', 'I', 'M'),
        clarity: fc.constantFrom('IF', 'VS1', 'SI1'),
        is_fancy: fc.constantFrom('f', 'f', 'f', 't'),
        on_hold: fc.constantFrom('f', 'f', 't'),
        cut_grade: fc.constantFrom(...CUT_GRADES.slice(0, 3), null),
        polish_grade: fc.constantFrom(...FINISH_GRADES.slice(0, 2)),
        symmetry_grade: fc.constantFrom(...FINISH_GRADES.slice(0, 2)),
        fluorescence: fc.constantFrom(...FLUORESCENCES.slice(2), null),
        girdle_max: fc.constantFrom(...GIRDLES, null),
        girdle_min: fc.constantFrom(...GIRDLES, null),
        depth_percentage: fc.constantFrom('61.5', '61.6', '63', null),
        table_percentage: fc.constantFrom('56.5', '58', null),
        length: fc.constantFrom('6.4', '6.41', '6.5', null),
        width: fc.constantFrom('6.38', '6.4', null),
        ratio: fc.constantFrom('1', '1.02', '1.4'),
        wholesale_price: fc.constantFrom('900', '901', '1000'),
        wholesale_price_us: fc.constantFrom('900', '990'),
      })
      .map(
        (stone) => ({ ...stone, id: String(id), sku: `S${id}` }) as Record<string, string | null>,
      )

  function storeOf(stones: Record<string, string | null>[]): Store {
    const rows = newRows(columns.spec)
    for (const stone of stones) {
      const printed = columns.sources.map((name) => stone[name] ?? null)
      const { id, values } = columns.read(printed, rows.dictionaries)
      putRow(rows, rows.size, id, values)
    }
    return newStore(columns.spec, buildSegment(rows))
  }

  it('chooses what the rule chooses among all candidates', () => {
    const stock = fc
      .integer({ min: 0, max: 60 })
      .chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => rowArbitrary(i + 1))))
    fc.assert(
      fc.property(
        stock,
        queryArbitrary,
        fc.boolean(),
        fc.array(fc.nat(60)),
        fc.option(fc.record({ mined: percentFactor, lab: percentFactor })),
        (stones, query, us, held, adjustment) => {
          const search: CandidateSearch = {
            ...query,
            types: ['mined', 'lab grown'],
            ratioMin: us ? 1_010 : Number.NEGATIVE_INFINITY,
            ratioMax: Number.POSITIVE_INFINITY,
            terms: { list: us ? 'us' : 'default', adjustment },
            ownHeld: new Set(held),
          }
          const store = storeOf(stones)
          const wanted = stones.filter(
            (stone) =>
              stone.shape === query.shape &&
              stone.is_fancy === 'f' &&
              (stone.on_hold === 'f' || held.includes(Number(stone.id))) &&
              (!us || Number(stone.ratio) >= 1.01),
          )
          const all = readCandidates(collectCandidates(store, search, WINDOWS.length))
          const free = new Set(wanted.map(({ id }) => Number(id)))
          expect(all.every(({ id }) => free.has(id))).toBe(true)
          for (const { id, type, price } of all) {
            const stone = stones.find((each) => Number(each.id) === id)
            const digits = us ? stone?.wholesale_price_us : stone?.wholesale_price
            const own = adjustment?.[type === 'mined' ? 'mined' : 'lab']
            const stored = Math.round(Number(digits) * 100)
            expect(price).toBe(own ? applyFactor(stored, own) : stored)
          }
          const chosen = curateFrom(store, search)
          expect(ids(chosen)).toEqual(ids(curate(all, query)))
          const everything = storeOf(wanted.map((stone) => ({ ...stone, on_hold: 'f' })))
          const judged = collectCandidates(
            everything,
            { ...search, templates: LOOSE },
            WINDOWS.length,
          )
          expect(ids(curate(readCandidates(judged), query))).toEqual(ids(chosen))
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** Accepts every color and clarity, so that the index leaves out no stone because of them. */
const LOOSE: CurationTemplate[] = [{ color: 'Z', clarity: 'I3', grade_name: 'very good' }]
