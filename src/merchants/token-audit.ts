import { recordEntry } from '../audit/record-entry.ts'
import type { Actor } from '../database/actor.ts'
import type { Tx } from '../database/open.ts'

/** What the audit says of a token. */
interface AuditedToken {
  uuid: string
  merchant_uuid: string | null
  supplier_uuid: string | null
  type: string
  name: string
  is_session: boolean
  hint: string
  last_used_on: string | null
  /** The person whose session it is. */
  user?: { uuid: string; name: string; email: string } | null
}

/** Records what happened to a token. A session is opened by itself. */
export async function recordToken(
  tx: Tx,
  action: string,
  before: AuditedToken | null,
  after: AuditedToken,
): Promise<void> {
  await recordEntry(tx, {
    action,
    subject: { kind: after.is_session ? 'session' : 'token', id: after.uuid },
    merchant_uuid: after.merchant_uuid,
    before: before && auditedFields(before),
    after: auditedFields(after),
    ...(action === 'session.open' && { actor: actorOf(after) }),
  })
}

/** Who acts with a token, as the audit names it: its person, or the token when it has none. */
export function actorOf(token: AuditedToken): Pick<Actor, 'kind' | 'uuid' | 'name' | 'side'> {
  const side = sideOf(token)
  const { user } = token
  if (user) return { kind: 'user', uuid: user.uuid, name: user.name || user.email, side }
  return { kind: 'token', uuid: token.uuid, name: token.name || token.type, side }
}

function sideOf({ merchant_uuid, supplier_uuid }: AuditedToken): Actor['side'] {
  if (merchant_uuid !== null) return 'merchant'
  return supplier_uuid === null ? 'operator' : 'supplier'
}

/** Without the last characters of the token: the audit outlives it. */
function auditedFields({ hint: _, last_used_on: __, ...token }: AuditedToken) {
  return { ...token }
}
