import type { Generated } from 'kysely'
import type { Numeric, Timestamp } from './columns.ts'

/** Stones that merchants choose: to show to a customer, and to watch. */
export interface SelectionTables {
  share: ShareTable
  watched_stone: WatchedStoneTable
  watch_place: { only_row: Generated<boolean>; place: number }
}

export interface ShareTable {
  uuid: string
  hash: Buffer
  merchant_uuid: string
  skus: string[]
  title: string | null
  note: string | null
  created_by: string
  created_on: Generated<Timestamp>
  expires_on: Timestamp
  revoked_on: Timestamp | null
}

export interface WatchedStoneTable {
  merchant_uuid: string
  sku: string
  wholesale_price: Numeric
  told_status: 'available' | 'held' | 'sold' | 'withdrawn'
  told_price: Numeric
  back_on: Timestamp | null
  created_by: string
  created_on: Generated<Timestamp>
}
