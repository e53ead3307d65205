/** The open sessions of a user, and of all users for those who manage them. */

import { Type } from 'typebox'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { revokeToken, type TokenSummary } from '../../merchants/token-store.ts'
import { listSessions, requireSession, type SessionRow } from '../../people/session-store.ts'
import { requestLink, setPassword } from '../../people/sign-in.ts'
import { LINK_MINUTES } from '../../people/sign-in-link.ts'
import { hasScope, type Scope } from '../../reference/roles.ts'
import { callerDb, write } from '../request/acting.ts'
import { type App, anyToken, publicAccess } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import {
  LinkBody,
  LinkSchema,
  PasswordBody,
  SessionPage,
  SessionQuery,
} from '../schemas/people/session.ts'
import type { Services } from '../services.ts'
import { tooManyAttempts, withinLimits } from './attempts.ts'
import { mailSender } from './mail-sender.ts'

const tags = ['Sessions']
const params = inlineObject({ uuid: uuid('UUID of the session') })

export function registerSessions(app: App, { db }: Services): void {
  app.get(
    '/api/v3/sessions',
    {
      config: { access: anyToken },
      schema: {
        tags,
        summary: 'Lists open sessions, newest first',
        description:
          "The caller's own; with the scope users:read those of all users of the same merchant, " +
          'supplier or operator, and those that a link of the command line opened.',
        querystring: SessionQuery,
        response: { 200: SessionPage },
      },
    },
    async ({ caller: { token }, query }, reply) => {
      const { limit, offset, user_uuid } = query
      const visible = visibleTo(token, 'users:read')
      reply.header('cache-control', 'no-store')
      // Somebody else's sessions look as if there were none.
      const isOther = user_uuid !== undefined && (visible.user_uuid ?? user_uuid) !== user_uuid
      if (isOther) return { sessions: [], total: 0, limit, offset }
      const filter = { ...visible, ...(user_uuid !== undefined && { user_uuid }) }
      const { sessions, total } = await listSessions(db, filter, { limit, offset })
      return { sessions: sessions.map((row) => render(row, token)), total, limit, offset }
    },
  )

  app.delete(
    '/api/v3/sessions/:uuid',
    {
      config: { access: anyToken },
      schema: {
        tags,
        summary: 'Ends a session immediately, on every node',
        description: "One's own; with the scope users:write every session of the same owner.",
        params,
        response: { 204: Type.Null({ description: 'Ended' }) },
      },
    },
    async (request, reply) => {
      const { token } = request.caller
      const { uuid: sessionUuid } = request.params
      await write(db, request, async (tx) => {
        await requireSession(tx, sessionUuid, visibleTo(token, 'users:write'))
        await revokeToken(tx, sessionUuid)
      })
      reply.code(204)
      return null
    },
  )
}

/** With the scope, the sessions of the owner; without it one's own only. */
function visibleTo(token: TokenSummary, scope: Scope) {
  const { merchant_uuid, supplier_uuid, user, uuid: tokenUuid } = token
  const owner = { merchant_uuid, supplier_uuid }
  if (hasScope(token.scopes, scope)) return { owner, user_uuid: undefined, uuid: undefined }
  return { owner, user_uuid: user?.uuid, uuid: user ? undefined : tokenUuid }
}

function render(row: SessionRow, token: TokenSummary) {
  return {
    ...row,
    current: row.uuid === token.uuid,
    created_on: isoWithOffset(row.created_on),
    expires_on: isoOrNull(row.expires_on),
    last_used_on: isoOrNull(row.last_used_on),
  }
}

export function registerPasswords(app: App, services: Services): void {
  const { db, passwords, publicUrl } = services
  app.put(
    '/api/v3/session/password',
    {
      config: { access: anyToken },
      schema: {
        tags,
        summary: "Sets the password of the session's own user",
        description:
          'Ends the other sessions and the links of the user. Unless the session was opened ' +
          'with a link, the password so far is needed.',
        body: PasswordBody,
        response: { 204: Type.Null({ description: 'Set' }) },
      },
    },
    async (request, reply) => {
      const { caller, body, clientAddress: address } = request
      const { token } = caller
      // Guessing the password so far counts like signing in with it.
      const attempt = { address, ...(token.user && { email: token.user.email }) }
      await withinLimits(db, reply, attempt, () =>
        setPassword(callerDb(db, request), passwords, token, body),
      )
      reply.code(204)
      return null
    },
  )

  app.post(
    '/api/v3/session/link',
    {
      config: { access: publicAccess, ignoresIdempotencyKey: true },
      schema: {
        tags,
        summary: 'Mails a link that signs in, once',
        description:
          'The response is the same whether or not the address has an account. The link expires ' +
          'after 30 minutes. An address with several accounts gets a link for each.',
        body: LinkBody,
        response: { 202: LinkSchema },
      },
    },
    async (request, reply) => {
      const { email } = request.body
      const attempt = { address: request.clientAddress, email }
      const sendMail = mailSender(services)
      const waitSeconds = await requestLink(callerDb(db, request), attempt, { publicUrl, sendMail })
      if (waitSeconds > 0) throw tooManyAttempts(reply, waitSeconds)
      reply.code(202)
      return { detail: sendMail ? ON_ITS_WAY : NO_MAIL }
    },
  )
}

const ON_ITS_WAY =
  'If the address has an account, a link is on its way. ' +
  `It works for ${LINK_MINUTES.sign_in} minutes.`
const NO_MAIL = 'This market sends no e-mail. Ask an owner or the operator to invite you again.'
