import type { Static } from 'typebox'
import { type EntryFilter, listEntries, listOwnEntries } from '../../audit/list-entries.ts'
import { sinceFrom } from '../../lib/timestamps.ts'
import { type App, merchantOf, merchantWith, operatorWith } from '../route.ts'
import { AuditEntriesSchema, AuditQuery, OperatorAuditQuery } from '../schemas/events/audit.ts'
import type { Services } from '../services.ts'

const tags = ['Audit']
const PAGES =
  'Newest first unless sorted otherwise. `next_cursor` is sent as `cursor` for the next page, ' +
  'with the same filters and sort. ' +
  'Refusals, dry runs and repeated responses are not entries; secrets are never in one.'

/** Who did what, and when: everything for the operator, for a merchant what concerns it. */
export function registerAudit(app: App, { db }: Services): void {
  app.get(
    '/api/operator/audit',
    {
      config: { access: operatorWith('settings:read'), conditional: true },
      schema: {
        tags,
        summary: 'Lists every write of anybody: who, what, when, before and after',
        description: PAGES,
        querystring: OperatorAuditQuery,
        response: { 200: AuditEntriesSchema },
      },
    },
    ({ query }) => {
      const { merchant_uuid } = query
      return listEntries(db, { ...filterOf(query), merchant_uuid }, query)
    },
  )

  app.get(
    '/api/v3/audit',
    {
      config: { access: merchantWith('settings:read'), conditional: true },
      schema: {
        tags,
        summary: 'Lists what your users and keys did, and what was done to you',
        description:
          `${PAGES} Of what the operator or a supplier did, \`actor\` says which side it was, ` +
          'and not who.',
        querystring: AuditQuery,
        response: { 200: AuditEntriesSchema },
      },
    },
    (request) =>
      listOwnEntries(db, merchantOf(request).uuid, filterOf(request.query), request.query),
  )
}

type Filters = Omit<Static<typeof AuditQuery>, 'sort_col'>

function filterOf({ actor, subject, action, from, to }: Filters): EntryFilter {
  return { actor, subject, action, from: sinceFrom('from', from), to: sinceFrom('to', to) }
}
