import type { Insertable } from 'kysely'
import type { GemTable } from '../../database/tables/gems.ts'
import type { FeedColumn } from '../../gems/gem.ts'
import { copyText, type RawRow } from '../reading/raw-row.ts'

/** A stone as a feed's row describes it. Money as digits, measures as numbers. */
export type GemDraft = Required<Pick<Insertable<GemTable>, Exclude<FeedColumn, 'weight'>>> & {
  weight: number
}

/** Why a row is not for sale. One per row: the first that makes it unsaleable. */
export interface Rejection {
  row: number
  column: string
  value: string
  reason: string
}

const VALUE_CHARS_MAX = 200

/** Of several sheets or files, the reason also says which one the row is in. */
export function rejectionOf(
  { row, part }: Pick<RawRow, 'row' | 'part'>,
  column: string,
  value: string,
  reason: string,
): Rejection {
  const said = part === undefined ? reason : `${reason} (${part})`
  return { row, column, value: copyText(value.slice(0, VALUE_CHARS_MAX)), reason: said }
}
