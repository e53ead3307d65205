import { type Static, Type } from 'typebox'
import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isoOrNull } from '../../lib/timestamps.ts'
import { uuidFrom } from '../../lib/uuid.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { openSessionByKey, openSessionByLink } from '../../merchants/session.ts'
import { hashToken, isTokenOf, type Realm } from '../../merchants/token.ts'
import { revokeToken, type TokenSummary } from '../../merchants/token-store.ts'
import { priceListOf } from '../../pricing/price-list.ts'
import { write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { type App, anyToken, publicAccess } from '../route.ts'
import { OpenedSessionSchema, SessionBody, SessionSchema } from '../schemas/session.ts'
import type { Services } from '../services.ts'
import { createSignInAttempts } from './sign-in-attempts.ts'

const tags = ['Sessions']

/** How the console signs in and out. A session is a token that expires. */
export function registerSession(app: App, { db, realm }: Services): void {
  const attempts = createSignInAttempts()

  app.post(
    '/api/v3/session',
    {
      config: { access: publicAccess },
      schema: {
        tags,
        summary: 'Opens a session with a one-time code or a key',
        description:
          'Send either code or key. A code works only once. The session is a token that expires ' +
          'after 12 hours, and ends earlier by signing out or with the key that opened it.',
        body: SessionBody,
        response: { 201: OpenedSessionSchema },
      },
    },
    async (request, reply) => {
      attempts.refuseTooMany(reply, request.clientAddress)
      refuseMalformed(realm, request.body)
      const open = async (tx: Tx) => {
        const { session, merchant } = await openSession(tx, realm, request).catch((error) => {
          if (error instanceof Refusal) attempts.countFailure(request.clientAddress)
          throw error
        })
        return { ...renderSession(realm, session, merchant), token: session.token }
      }
      reply.header('cache-control', 'no-store')
      return writeOnce(db, request, reply, 201, open, credentialUuid(request.body))
    },
  )

  app.get(
    '/api/v3/session',
    {
      config: { access: anyToken },
      schema: {
        tags,
        summary: 'Returns who is signed in, and what the token may do',
        response: { 200: SessionSchema },
      },
    },
    ({ caller }, reply) => {
      reply.header('cache-control', 'no-store')
      return renderSession(realm, caller.token, caller.merchant)
    },
  )

  app.delete(
    '/api/v3/session',
    {
      config: { access: anyToken },
      schema: {
        tags,
        summary: 'Signs out: ends the session immediately, on every node',
        response: { 204: Type.Null({ description: 'Signed out' }) },
      },
    },
    async (request, reply) => {
      const { caller } = request
      if (!caller.token.is_session) {
        const detail = 'This token is an API key, not a session; revoke it in the settings instead.'
        throw new Refusal('wrong_state', detail)
      }
      await write(db, request, (tx) => revokeToken(tx, caller.token.uuid))
      reply.code(204)
      return null
    },
  )
}

interface SessionRequest {
  body: Static<typeof SessionBody>
  clientAddress: string
}

/** Whose Idempotency-Key it is: the caller is not known yet, but has a secret code or key. */
function credentialUuid({ code = '', key = '' }: SessionRequest['body']): string {
  return uuidFrom(hashToken(`${code} ${key}`))
}

/** Refuses, without a query, what cannot be a code or a key. */
function refuseMalformed(realm: Realm, { code, key }: SessionRequest['body']): void {
  if ((code === undefined) === (key === undefined)) {
    throw new Refusal('invalid_request', 'Send either code or key.', {
      errors: [{ field: 'key', message: 'or code is required, but not both' }],
    })
  }
  if (key === undefined || isTokenOf(realm, key)) return
  const form = realm === 'live' ? 'pav_live_…' : 'pav_test_…'
  const detail = `This is not a key of this market; a key has the form ${form}.`
  throw new Refusal('unauthenticated', detail)
}

function openSession(tx: Tx, realm: Realm, { body, clientAddress }: SessionRequest) {
  const { code, key = '' } = body
  if (code !== undefined) return openSessionByLink(tx, realm, code)
  return openSessionByKey(tx, realm, key, clientAddress)
}

function renderSession(realm: Realm, token: TokenSummary, merchant: Merchant | undefined) {
  return {
    role: roleOf(token),
    market: realm === 'live' ? ('production' as const) : ('sandbox' as const),
    scopes: token.scopes,
    expires_on: isoOrNull(token.expires_on),
    merchant: merchant ? { ...merchant, price_list: priceListOf(merchant) } : null,
    supplier_uuid: token.supplier_uuid,
  }
}

function roleOf({ type }: TokenSummary): 'merchant' | 'operator' | 'supplier' {
  if (type === 'supplier') return type
  return type === 'admin' ? 'operator' : 'merchant'
}
