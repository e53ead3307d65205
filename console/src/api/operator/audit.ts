import type { Static } from 'typebox'
import type {
  AuditEntriesSchema,
  OperatorAuditQuery,
} from '../../../../src/http/schemas/events/audit.ts'
import { call } from '../client.ts'

type Entries = Static<typeof AuditEntriesSchema>
export type AuditEntry = Entries['entries'][number]
export type AuditQuery = Static<typeof OperatorAuditQuery>

export function listAudit(query: AuditQuery, signal?: AbortSignal): Promise<Entries> {
  return call('GET', '/api/operator/audit', { query, signal })
}
