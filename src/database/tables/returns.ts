import type { Generated } from 'kysely'
import type { Timestamp } from './columns.ts'

/** Returns of invoiced goods. */
export interface ReturnTables {
  order_return: ReturnTable
  order_return_line: { return_uuid: string; line_uuid: string; quantity: number }
}

export interface ReturnTable {
  uuid: string
  order_uuid: string
  merchant_uuid: string
  status: 'requested' | 'approved' | 'rejected' | 'received'
  reason: string
  reject_reason: Generated<string>
  created_on: Timestamp
  updated_on: Timestamp
}
