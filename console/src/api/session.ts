import type { Static } from 'typebox'
import type { OpenedSessionSchema, SessionBody } from '../../../src/http/schemas/people/sign-in.ts'
import { t } from '../language/language.ts'
import { call } from './client.ts'
import { beginSession, endSession, type Session, session } from './session-store.ts'

type OpenedSession = Static<typeof OpenedSessionSchema>

/** Exchanges the code of a one-time link, or a key, for a session. */
export async function signIn(credentials: Static<typeof SessionBody>): Promise<Session> {
  const opened = await call<OpenedSession>('POST', '/api/v3/session', { body: credentials })
  beginSession(opened, opened.token)
  return opened
}

export async function readSession(): Promise<void> {
  session.set(await call<Session>('GET', '/api/v3/session'))
}

/** Ends the session on the server first; the tab forgets it in any case. */
export async function signOut(): Promise<void> {
  try {
    await call<void>('DELETE', '/api/v3/session')
  } catch {
    // The session expires by itself; the person asked to leave, so the tab forgets it now.
  } finally {
    endSession(t('You have signed out.'))
  }
}
