import { type ConflictDecision, decideConflict } from '../../gems/decide-conflict.ts'
import { listConflicts } from '../../gems/list-conflicts.ts'
import { Refusal } from '../../lib/refusal.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import {
  CertificateParams,
  ConflictDecisionBody,
  ConflictQuery,
  ConflictSchema,
  DecidedConflictSchema,
} from '../schemas/inventory.ts'
import { pageOf } from '../schemas/page.ts'
import type { Services } from '../services.ts'

const reading = { access: operatorWith('inventory:read') } as const
const writing = { access: operatorWith('inventory') } as const
const tags = ['Imports']

/** Certificates whose offers contradict each other, and what the operator decides about them. */
export function registerConflicts(app: App, { db, catchUp }: Services): void {
  app.get(
    '/api/operator/inventory/conflicts',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists certificates whose offers contradict each other, until it is decided',
        querystring: ConflictQuery,
        response: { 200: pageOf('ConflictPage', 'conflicts', ConflictSchema) },
      },
    },
    async ({ query }) => ({
      ...(await listConflicts(db, query)),
      offset: query.offset,
      limit: query.limit,
    }),
  )

  app.post(
    '/api/operator/inventory/conflicts/:lab/:cert_num/decide',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Decides about the offers of one certificate',
        description:
          'The newest decision counts. What is sold or on memo stays so; a hold on an offer that ' +
          'is disabled ends.',
        params: CertificateParams,
        body: ConflictDecisionBody,
        response: { 200: DecidedConflictSchema },
      },
    },
    async (request, reply) => {
      const decision = decisionFrom(request.body)
      const decided = await writeOnce(db, request, reply, 200, (tx) =>
        decideConflict(tx, request.params, decision),
      )
      await catchUp()
      return decided
    },
  )
}

function decisionFrom({
  decision,
  sku,
}: {
  decision: ConflictDecision['decision']
  sku?: string
}): ConflictDecision {
  if (decision === 'keep' && sku !== undefined) return { decision, sku }
  if (decision === 'apart' && sku === undefined) return { decision }
  const message = decision === 'keep' ? 'is required with keep' : 'is only allowed with keep'
  throw new Refusal('invalid_request', `sku ${message}.`, { errors: [{ field: 'sku', message }] })
}
