import { Type } from 'typebox'
import { Refusal } from '../../lib/refusal.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { SCOPES, type Scope } from '../../merchants/token.ts'
import {
  createToken,
  listTokens,
  revokeToken,
  type TokenSummary,
} from '../../merchants/token-store.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { PageQuery, pageOf } from '../schemas/page.ts'
import { CreatedTokenSchema, TokenBody, TokenSchema } from '../schemas/token.ts'
import type { Services } from '../services.ts'

const reading = { access: operatorWith('settings:read') } as const
const writing = { access: operatorWith('settings:write') } as const
const tags = ['Tokens']

const TokenQuery = Type.Object(
  { ...PageQuery.properties, merchant_uuid: Type.Optional(uuid('Only tokens of this merchant')) },
  { additionalProperties: false },
)

export function registerTokens(app: App, { db, realm }: Services): void {
  app.get(
    '/api/operator/tokens',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the tokens, oldest first, without their secret values',
        querystring: TokenQuery,
        response: { 200: pageOf('TokenPage', 'tokens', TokenSchema) },
      },
    },
    async ({ query }) => {
      const { tokens, total } = await listTokens(db, query)
      const { limit, offset } = query
      return { tokens: tokens.map(renderToken), total, limit, offset }
    },
  )

  app.post(
    '/api/operator/tokens',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Creates a token, and returns it only this once',
        description:
          'With an Idempotency-Key the response and its token are stored encrypted for a day.',
        body: TokenBody,
        response: { 201: CreatedTokenSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const { merchant_uuid, expires_on, ...token } = request.body
        if (token.type === 'admin') refuseMore(request.caller.token.scopes, token.scopes)
        if (merchant_uuid) await getMerchant(tx, merchant_uuid)
        const created = await createToken(tx, {
          ...token,
          realm,
          ...(merchant_uuid && { merchant_uuid }),
          ...(expires_on && { expires_on: new Date(expires_on) }),
        })
        return { ...renderToken(created), token: created.token }
      }),
  )

  app.delete(
    '/api/operator/tokens/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Revokes a token immediately, on every node',
        params: inlineObject({ uuid: uuid('UUID of the token') }),
        response: { 200: TokenSchema },
      },
    },
    async (request) => renderToken(await revokeToken(db, request.params.uuid)),
  )
}

/** Refuses more scopes than the caller has: otherwise its own scopes would limit nothing. */
function refuseMore(own: readonly string[], requested: readonly Scope[] = SCOPES): void {
  const missing = requested.filter((scope) => !own.includes(scope))
  if (missing.length === 0) return
  const detail = `The token cannot grant scopes that it does not have: ${missing.join(', ')}.`
  throw new Refusal('missing_scope', detail)
}

export function renderToken(token: TokenSummary) {
  return {
    ...token,
    created_on: isoWithOffset(token.created_on),
    expires_on: isoOrNull(token.expires_on),
    revoked_on: isoOrNull(token.revoked_on),
    last_used_on: isoOrNull(token.last_used_on),
  }
}
