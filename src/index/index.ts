/** What the rest of Pavilion may use of the column index. */
export { buildSegment } from './build-segment.ts'
export type { ColumnSpec, Segment, TableSpec, View } from './columns.ts'
export {
  countValues,
  type Histogram,
  histogram,
  type ValueCount,
} from './counts.ts'
export type { Match } from './matches.ts'
export { occurringValues } from './occurring.ts'
export type { Bands, FillKeys, Order, Predicate, Range, Sift } from './predicates.ts'
export { type Dictionary, encode, newRows, putRow, type Rows, type RowValues } from './rows.ts'
export {
  bytesOf,
  driftFromBase,
  eachView,
  type Found,
  find,
  match,
  newStore,
  page,
  remove,
  type Store,
  setCode,
  sizeOf,
  upsert,
} from './store.ts'
