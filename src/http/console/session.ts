import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isoOrNull } from '../../lib/timestamps.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { isTokenOf, type Realm } from '../../merchants/token.ts'
import { revokeToken, type TokenSummary } from '../../merchants/token-store.ts'
import {
  openSessionByKey,
  openSessionByLink,
  openUserSession,
  type Session,
} from '../../people/session.ts'
import { type Credentials, findByPassword } from '../../people/sign-in.ts'
import { countAttempt } from '../../people/sign-in-attempts.ts'
import { priceListOf } from '../../pricing/price-list.ts'
import { withinLimits } from '../people/attempts.ts'
import { write } from '../request/acting.ts'
import { type App, anyToken, publicAccess } from '../route.ts'
import { OpenedSessionSchema, SessionBody, SessionSchema } from '../schemas/people/sign-in.ts'
import type { Services } from '../services.ts'
import { createSignInAttempts } from './sign-in-attempts.ts'

const tags = ['Sessions']

/** How people sign in and out. A session is a token that expires. */
export function registerSession(app: App, services: Services): void {
  const { db } = services
  app.post(
    '/api/v3/session',
    {
      config: { access: publicAccess, ignoresIdempotencyKey: true },
      schema: {
        tags,
        summary: 'Opens a session with a one-time code, a password or a key',
        description:
          'Send email and password, or code, or key. A code works only once. The session is a ' +
          'token that expires after 12 hours, and ends earlier by signing out, with its user or ' +
          'with the key that opened it. An address that belongs to several accounts signs in to ' +
          'the one that the password fits and that was used last; merchant_uuid or supplier_uuid ' +
          'chooses another. An Idempotency-Key is ignored: no session is handed out twice.',
        body: SessionBody,
        response: { 201: OpenedSessionSchema },
      },
    },
    signIn(services),
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
      return renderSession(services, caller.token, caller.merchant)
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

type SessionRequest = FastifyRequest<{ Body: Static<typeof SessionBody> }>

/** How a session is opened, whatever the credential. */
function signIn(services: Services) {
  const { db, realm, passwords } = services
  const attempts = createSignInAttempts()
  return async (request: SessionRequest, reply: FastifyReply) => {
    const { body, clientAddress: address } = request
    attempts.refuseTooMany(reply, address)
    refuseMalformed(body)
    reply.header('cache-control', 'no-store')
    const { email, password } = body
    if (email !== undefined && password !== undefined) {
      const credentials: Credentials = { ...body, email, password }
      return withinLimits(db, reply, { address, email }, async () => {
        const userUuid = await findByPassword(db, passwords, credentials)
        const opened = await write(db, request, (tx) =>
          openUserSession(tx, realm, userUuid, 'password'),
        )
        reply.code(201)
        return renderOpened(services, opened)
      })
    }
    try {
      refuseForeignKey(realm, body.key)
      const opened = await write(db, request, (tx) => openSession(tx, realm, request))
      reply.code(201)
      return renderOpened(services, opened)
    } catch (error) {
      if (error instanceof Refusal) {
        attempts.countFailure(address)
        // Other nodes count it as well; guessing is refused there without another query.
        const waitSeconds = await countAttempt(db, { address })
        if (waitSeconds > 0) attempts.block(address, waitSeconds)
      }
      throw error
    }
  }
}

type Market = Pick<Services, 'realm' | 'media'>

function renderOpened(market: Market, { session, merchant }: Session) {
  return { ...renderSession(market, session, merchant), token: session.token }
}

/** Refuses a body that does not have exactly one credential. */
function refuseMalformed(body: SessionRequest['body']): void {
  const { code, key, email, password } = body
  const given = [code, key, email ?? password].filter((each) => each !== undefined)
  const isHalf = (email === undefined) !== (password === undefined)
  if (given.length !== 1 || isHalf) {
    const field = password === undefined && email !== undefined ? 'password' : 'email'
    throw new Refusal('invalid_request', 'Send either email and password, or code, or key.', {
      errors: [{ field, message: 'and password, or code, or key is required, but not several' }],
    })
  }
}

/** Refuses, without a query, what cannot be a key of this market. */
function refuseForeignKey(realm: Realm, key: string | undefined): void {
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

function renderSession(
  { realm, media }: Market,
  token: TokenSummary,
  merchant: Merchant | undefined,
) {
  return {
    role: roleOf(token),
    market: realm === 'live' ? ('production' as const) : ('sandbox' as const),
    scopes: token.scopes,
    shows_media: media.isOn,
    expires_on: isoOrNull(token.expires_on),
    merchant: merchant ? { ...merchant, price_list: priceListOf(merchant) } : null,
    supplier_uuid: token.supplier_uuid,
    user: token.user,
  }
}

function roleOf({ type }: TokenSummary): 'merchant' | 'operator' | 'supplier' {
  if (type === 'supplier') return type
  return type === 'admin' ? 'operator' : 'merchant'
}
