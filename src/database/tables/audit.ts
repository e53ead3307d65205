import type { Generated } from 'kysely'
import type { Actor } from '../actor.ts'
import type { JsonOrNull, Timestamp } from './columns.ts'

export interface AuditTables {
  audit_entry: AuditEntryTable
}

interface AuditEntryTable {
  id: Generated<number>
  uuid: Generated<string>
  at: Generated<Timestamp>
  actor_kind: Actor['kind']
  actor_uuid: string | null
  actor_name: string
  actor_side: Actor['side']
  merchant_uuid: string | null
  action: string
  subject_kind: string
  subject_id: string
  before: JsonOrNull<Record<string, unknown>>
  after: JsonOrNull<Record<string, unknown>>
  request_id: string | null
  ip: string | null
}
