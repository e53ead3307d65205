import { Type } from 'typebox'
import { getSupplierByUuid } from '../../gems/supplier-store.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { defaultScopesOf } from '../../merchants/token-budget.ts'
import { createChildToken } from '../../merchants/token-maker.ts'
import { rotateToken } from '../../merchants/token-rotation.ts'
import {
  listTokens,
  type NewToken,
  revokeToken,
  type TokenSummary,
} from '../../merchants/token-store.ts'
import { write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { PageQuery, pageOf } from '../schemas/page.ts'
import { CreatedTokenSchema, RotationBody, TokenBody, TokenSchema } from '../schemas/token.ts'
import type { Services } from '../services.ts'

const reading = { access: operatorWith('settings:read') } as const
const writing = { access: operatorWith('settings:write') } as const
const creating = { access: operatorWith('keys:write'), answersSecret: true } as const
const tags = ['Tokens']
const token = inlineObject({ uuid: uuid('UUID of the token') })

const TokenQuery = inlineObject({
  ...PageQuery.properties,
  merchant_uuid: Type.Optional(uuid('Only tokens of this merchant')),
  supplier_uuid: Type.Optional(uuid('Only tokens of this supplier')),
})

export function registerTokens(app: App, services: Services): void {
  const { db } = services
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

  app.delete(
    '/api/operator/tokens/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Revokes a token and all that it made immediately, on every node',
        params: token,
        response: { 200: TokenSchema },
      },
    },
    async (request) =>
      renderToken(await write(db, request, (tx) => revokeToken(tx, request.params.uuid))),
  )

  registerTokenCreation(app, services)
}

function registerTokenCreation(app: App, { db, realm, rateLimitPerMinute }: Services): void {
  app.post(
    '/api/operator/tokens',
    {
      config: creating,
      schema: {
        tags,
        summary: 'Creates a token, and returns it only this once',
        description:
          'It has no more scopes, rate or life than the token that creates it, and ends with it; ' +
          'a token of the command line or of a session that a link opened has no such bounds. ' +
          'It shares the budget of the token that creates it, if that has one. ' +
          'A merchant or a supplier has at most 50 tokens that have not ended. ' +
          'With an Idempotency-Key the response and its token are stored encrypted for a day.',
        body: TokenBody,
        response: { 201: CreatedTokenSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const { expires_on, ...fields } = request.body
        if (fields.merchant_uuid) await getMerchant(tx, fields.merchant_uuid)
        if (fields.supplier_uuid) await getSupplierByUuid(tx, fields.supplier_uuid)
        const token = {
          realm,
          scopes: defaultScopesOf(fields),
          ...fields,
          ...(expires_on && { expires_on: new Date(expires_on) }),
        }
        const { caller } = request
        return renderNewToken(await createChildToken(tx, caller.token, token, rateLimitPerMinute))
      }),
  )

  app.post(
    '/api/operator/tokens/:uuid/rotate',
    {
      config: creating,
      schema: {
        tags,
        summary: 'Replaces a token by a new one, and returns it only this once',
        description:
          'The new token has the same name, scopes, limits and remaining life. The old one works ' +
          'until the overlap ends, and the keys that it made belong to the new one; without an ' +
          "overlap they end at once. A token can rotate those that it made, merchants' and " +
          "suppliers'; " +
          'in a session that a link opened, every token can be rotated.',
        params: token,
        body: RotationBody,
        response: { 201: CreatedTokenSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) =>
        renderNewToken(
          await rotateToken(tx, request.params.uuid, {
            realm,
            overlapSeconds: request.body.overlap_seconds,
            caller: request.caller.token,
          }),
        ),
      ),
  )
}

export function renderNewToken(created: NewToken) {
  return { ...renderToken(created), token: created.token }
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
