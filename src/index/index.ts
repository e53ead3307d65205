/** What the rest of Pavilion may use of the column index. */

export { occurringValues } from './query/co-occurrence.ts'
export {
  countValues,
  type Histogram,
  histogram,
  type ValueCount,
} from './query/facets.ts'
export type { Match } from './query/match.ts'
export type { Bands, FillKeys, Order, Predicate, Range, RowFilter } from './query/predicates.ts'
export { buildSegment } from './segment/build.ts'
export type { ColumnSpec, Segment, TableSpec, View } from './segment/columns.ts'
export {
  type Dictionary,
  encode,
  newRows,
  putRow,
  type Rows,
  type RowValues,
} from './segment/rows.ts'
export {
  bytesOf,
  driftFromBase,
  eachView,
  type Found,
  find,
  idAt,
  match,
  newStore,
  page,
  remove,
  type Store,
  setCode,
  sizeOf,
  upsert,
} from './store.ts'
