/** What the rest of Pavilion may use of the column index. */

export { copyRows, rowsLike, textOf } from './copy-rows.ts'
export { mergeInThread, mergeStore } from './merge-store.ts'
export { occurringValues } from './query/co-occurrence.ts'
export { countValues, type ValueCount } from './query/facets.ts'
export { type Histogram, histogram } from './query/histogram.ts'
export { eachView, type Match, match } from './query/match.ts'
export { newRowMatcher, type RowMatcher } from './query/match-rows.ts'
export { type Found, page, pageBehind, placeBehind } from './query/page.ts'
export type {
  BandKeys,
  Bands,
  ColumnKeys,
  FillKeys,
  Order,
  Predicate,
  Range,
  RowFilter,
} from './query/predicates.ts'
export type { Place } from './query/seek.ts'
export {
  type CodeView,
  type ColumnSpec,
  codeAt,
  findRow,
  idAt,
  NONE,
  type NumberView,
  type Segment,
  type TableSpec,
  type View,
} from './segment/columns.ts'
export {
  type Dictionary,
  encode,
  newRows,
  putRow,
  type Rows,
  type RowValues,
  reserve,
} from './segment/rows.ts'
export { type About, openSegment, type SegmentFile, writeSegment } from './segment-file.ts'
export {
  buildSegment,
  bytesOf,
  driftFromBase,
  find,
  newStore,
  remove,
  type Store,
  setCode,
  sizeOf,
  upsert,
} from './store.ts'
