import { Refusal } from '../../lib/refusal.ts'
import type { Scope } from '../../merchants/token.ts'
import { createToken, listTokens, revokeToken } from '../../merchants/token-store.ts'
import { renderToken } from '../operator/tokens.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { PageQuery, pageOf } from '../schemas/page.ts'
import { CreatedTokenSchema, KeyBody, TokenSchema } from '../schemas/token.ts'
import type { Services } from '../services.ts'

const tags = ['Tokens']
const DAY_MS = 86_400_000

/** How a merchant manages its own API keys. No key can create one that may do more than itself. */
export function registerKeys(app: App, { db, realm }: Services): void {
  app.get(
    '/api/v3/tokens',
    {
      config: { access: merchantWith('settings:read'), conditional: true },
      schema: {
        tags,
        summary: "Lists the merchant's keys, oldest first, without their secret values",
        querystring: PageQuery,
        response: { 200: pageOf('KeyPage', 'tokens', TokenSchema) },
      },
    },
    async (request) => {
      const merchant_uuid = merchantOf(request).uuid
      const { limit, offset } = request.query
      const page = { limit, offset, merchant_uuid, type: 'api_key' as const }
      const { tokens, total } = await listTokens(db, page)
      return { tokens: tokens.map(renderToken), total, limit, offset }
    },
  )

  app.post(
    '/api/v3/tokens',
    {
      config: { access: merchantWith('settings:write') },
      schema: {
        tags,
        summary: 'Creates a key, and returns it only this once',
        description:
          'With an Idempotency-Key the response and its key are stored encrypted for a day.',
        body: KeyBody,
        response: { 201: CreatedTokenSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const { name, scopes, expires_in_days } = request.body
        const own = request.caller.token.scopes as Scope[]
        refuseMoreThanOwn(own, scopes ?? own)
        const created = await createToken(tx, {
          realm,
          type: 'api_key',
          merchant_uuid: merchantOf(request).uuid,
          name,
          scopes: scopes ?? own,
          ...(expires_in_days && { expires_on: new Date(Date.now() + expires_in_days * DAY_MS) }),
        })
        return { ...renderToken(created), token: created.token }
      }),
  )

  app.delete(
    '/api/v3/tokens/:uuid',
    {
      config: { access: merchantWith('settings:write') },
      schema: {
        tags,
        summary: 'Revokes a key immediately, and the sessions that were opened with it',
        params: inlineObject({ uuid: uuid('UUID of the key') }),
        response: { 200: TokenSchema },
      },
    },
    async (request) =>
      renderToken(await revokeToken(db, request.params.uuid, merchantOf(request).uuid)),
  )
}

function refuseMoreThanOwn(own: readonly Scope[], requested: readonly Scope[]): void {
  const missing = requested.filter((scope) => !own.includes(scope))
  if (missing.length === 0) return
  throw new Refusal(
    'missing_scope',
    `A key cannot grant scopes that it does not have: ${missing.join(', ')}.`,
  )
}
