import {
  codeAt,
  eachView,
  idAt,
  match,
  type Predicate,
  type Store,
  type View,
} from '../../index/index.ts'
import {
  adjustedCents,
  adjustmentFor,
  type WholesaleTerms,
} from '../../pricing/price-adjustment.ts'
import { listColumn } from '../../pricing/price-list.ts'
import { CLARITIES, COLORS, type GemType } from '../../reference/attributes.ts'
import { MINED_CODE } from '../indexing/columns.ts'
import { visibleTo } from '../search/visibility.ts'
import type { Candidate } from './make.ts'
import { type CurationQuery, type CurationTemplate, floorOf, WINDOWS } from './rule.ts'

/** A curated search in terms of the index. */
export interface CandidateSearch<Template extends CurationTemplate = CurationTemplate>
  extends CurationQuery<Template> {
  types: readonly GemType[]
  /** In 1/1,000. */
  ratioMin: number
  ratioMax: number
  /** Which wholesale prices the caller pays. */
  terms: WholesaleTerms
  /** Stones that the caller holds itself: they are free for the caller. */
  ownHeld: ReadonlySet<number>
  /** Stones that earlier templates chose. */
  taken?: ReadonlySet<number>
}

/** The rows of the index that are candidates, of its base and of its delta. */
export interface CandidateRows {
  store: Store
  /** Returns a function that reads the caller's wholesale prices in US cents. */
  priceReader: (view: View) => (row: number) => number
  parts: { view: View; rows: Uint32Array }[]
}

/** Collects every stone that some template could choose within the first `windows` windows. */
export function collectCandidates(
  store: Store,
  search: CandidateSearch,
  windows: number,
): CandidateRows {
  const candidates: CandidateRows = { store, priceReader: priceReader(search.terms), parts: [] }
  const visible = visibleTo(store, search.terms)
  const { taken } = search
  eachView(match(store, [...predicatesOf(search, windows, 'f'), ...visible]), (view, rows) => {
    const free = taken?.size ? rows.filter((row) => !taken.has(idAt(view, row))) : rows.slice()
    candidates.parts.push({ view, rows: free })
  })
  if (search.ownHeld.size === 0) return candidates
  eachView(match(store, [...predicatesOf(search, windows, 't'), ...visible]), (view, rows) => {
    const own = rows.filter((row) => {
      const id = idAt(view, row)
      return search.ownHeld.has(id) && !taken?.has(id)
    })
    candidates.parts.push({ view, rows: own })
  })
  return candidates
}

function priceReader({ list, adjustment }: WholesaleTerms): CandidateRows['priceReader'] {
  const column = listColumn('wholesale_price', list)
  const mined = adjustmentFor(adjustment, 'mined')
  const lab = adjustmentFor(adjustment, 'lab grown')
  return (view) => {
    const { values, base } = view.numbers[column]
    const { type } = view.codes
    if (adjustment === null) return (row) => values[row] + base
    return (row) =>
      adjustedCents(codeAt(type, row) === MINED_CODE ? mined : lab, values[row] + base)
  }
}

function predicatesOf(search: CandidateSearch, windows: number, onHold: 't' | 'f'): Predicate[] {
  const floors = search.templates.map(floorOf)
  const worst = (grade: 'color' | 'clarity') => Math.max(...floors.map((floor) => floor[grade]))
  const { below, above } = WINDOWS[windows - 1]
  const predicates: Predicate[] = [
    { kind: 'oneOf', column: 'shape', values: [search.shape] },
    { kind: 'oneOf', column: 'type', values: search.types },
    { kind: 'oneOf', column: 'is_fancy', values: ['f'] },
    { kind: 'oneOf', column: 'on_hold', values: [onHold] },
    { kind: 'oneOf', column: 'color', values: COLORS.slice(0, 1 + worst('color')) },
    { kind: 'oneOf', column: 'clarity', values: CLARITIES.slice(0, 1 + worst('clarity')) },
    {
      kind: 'range',
      column: 'weight',
      min: Math.ceil((search.weight * (100 - below)) / 100),
      max: Math.floor((search.weight * (100 + above)) / 100),
    },
  ]
  if (search.ratioMin > Number.NEGATIVE_INFINITY || search.ratioMax < Number.POSITIVE_INFINITY) {
    predicates.push({ kind: 'range', column: 'ratio', min: search.ratioMin, max: search.ratioMax })
  }
  return predicates
}

export function readCandidates(candidates: CandidateRows): Candidate[] {
  const stones: Candidate[] = []
  for (const { view, rows } of candidates.parts) {
    const read = candidateReader(candidates, view)
    for (const row of rows) stones.push(read(row))
  }
  return stones
}

/** Reads rows of one view as candidates. The columns are looked up once for all rows. */
export function candidateReader(
  { store, priceReader }: CandidateRows,
  view: View,
): (row: number) => Candidate {
  const word = (column: string) => {
    const codes = view.codes[column]
    const { values } = store.dictionaries[column]
    return (row: number) => values[codeAt(codes, row)]
  }
  const number = (column: string, scale = 1) => {
    const { values, base, none } = view.numbers[column]
    return (row: number) => (values[row] === none ? null : (values[row] + base) / scale)
  }
  const { color: colors, clarity: clarities } = view.codes
  const [type, cut, polish] = [word('type'), word('cut_grade'), word('polish_grade')]
  const [symmetry, fluorescence] = [word('symmetry_grade'), word('fluorescence')]
  const [girdleMax, girdleMin] = [word('girdle_max'), word('girdle_min')]
  const [weight, price] = [number('weight'), priceReader(view)]
  const [length, width] = [number('length'), number('width')]
  const [depth, table] = [number('depth_percentage', 100), number('table_percentage', 100)]
  return (row) => ({
    id: idAt(view, row),
    type: type(row) as GemType,
    weight: weight(row) ?? 0,
    // The codes of grades count from 1, in the order of their list.
    color: codeAt(colors, row) - 1,
    clarity: codeAt(clarities, row) - 1,
    cut_grade: cut(row),
    polish_grade: polish(row),
    symmetry_grade: symmetry(row),
    fluorescence: fluorescence(row),
    girdle_max: girdleMax(row),
    girdle_min: girdleMin(row),
    depth_percentage: depth(row),
    table_percentage: table(row),
    length: length(row),
    width: width(row),
    price: price(row),
  })
}
