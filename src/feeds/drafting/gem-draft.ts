import type { Insertable } from 'kysely'
import type { GemTable } from '../../database/tables/gems.ts'
import type { FeedColumn } from '../../gems/gem.ts'

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
