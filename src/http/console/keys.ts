import { defaultScopes } from '../../merchants/token.ts'
import { createChildToken } from '../../merchants/token-maker.ts'
import { rotateToken } from '../../merchants/token-rotation.ts'
import { listTokens, revokeToken } from '../../merchants/token-store.ts'
import type { Scope } from '../../reference/roles.ts'
import { renderNewToken, renderToken } from '../operator/tokens.ts'
import { write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { PageQuery, pageOf } from '../schemas/page.ts'
import {
  CreatedTokenSchema,
  KEY_TYPES,
  KeyBody,
  RotationBody,
  TokenSchema,
} from '../schemas/token.ts'
import type { Services } from '../services.ts'

const tags = ['Tokens']
const writing = { access: merchantWith('keys:write') } as const
const creating = { ...writing, answersSecret: true } as const
const key = inlineObject({ uuid: uuid('UUID of the key') })

/** How a merchant manages its own API keys. No key can create one that may do more than itself. */
export function registerKeys(app: App, services: Services): void {
  const { db } = services
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
      const page = { limit, offset, merchant_uuid, types: KEY_TYPES }
      const { tokens, total } = await listTokens(db, page)
      return { tokens: tokens.map(renderToken), total, limit, offset }
    },
  )

  app.delete(
    '/api/v3/tokens/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Revokes a key immediately, and the keys and sessions that were made with it',
        params: key,
        response: { 200: TokenSchema },
      },
    },
    async (request) =>
      renderToken(
        await write(db, request, (tx) =>
          revokeToken(tx, request.params.uuid, merchantOf(request).uuid),
        ),
      ),
  )

  registerKeyCreation(app, services)
}

function registerKeyCreation(app: App, { db, realm, rateLimitPerMinute }: Services): void {
  app.post(
    '/api/v3/tokens',
    {
      config: creating,
      schema: {
        tags,
        summary: 'Creates a key, and returns it only this once',
        description:
          'A key that is created with another key has no more scopes, rate, life or addresses ' +
          'than that key, shares its budget, and ends with it. A merchant has at most 50 keys ' +
          'that have not ended. ' +
          'A key of type publishable is for web pages: it sees retail prices only, and is used ' +
          'on the pages of its origins only. ' +
          'With an Idempotency-Key the response and its key are stored encrypted for a day.',
        body: KeyBody,
        response: { 201: CreatedTokenSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const { token: own } = request.caller
        const { type = 'api_key', ...body } = request.body
        const fields = {
          realm,
          type,
          merchant_uuid: merchantOf(request).uuid,
          scopes: defaultScopes(type, own.scopes as Scope[]),
          ...body,
        }
        return renderNewToken(await createChildToken(tx, own, fields, rateLimitPerMinute))
      }),
  )

  app.post(
    '/api/v3/tokens/:uuid/rotate',
    {
      config: creating,
      schema: {
        tags,
        summary: 'Replaces a key by a new one, and returns it only this once',
        description:
          'The new key has the same name, scopes, limits and remaining life. The old one works ' +
          'until the overlap ends, and the keys that it made belong to the new one; without an ' +
          'overlap they end at once. A key can rotate only keys that it made; in a session that ' +
          'a link opened, every key can be rotated.',
        params: key,
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
            merchant_uuid: merchantOf(request).uuid,
            caller: request.caller.token,
          }),
        ),
      ),
  )
}
