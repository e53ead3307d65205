import { call } from './client.ts'
import { beginSession, endSession, session } from './session-store.ts'

/** As `SessionMerchant` in /openapi/v3.json. */
export interface SessionMerchant {
  uuid: string
  legal_dba: string
  email: string
  country_code: string
  currency_code: string
  margin_mode: 'weight' | 'price'
  price_list: 'default' | 'us'
}

/** As `Session` in /openapi/v3.json. */
export interface Session {
  role: 'merchant' | 'operator'
  market: 'production' | 'sandbox'
  scopes: string[]
  expires_on: string | null
  merchant: SessionMerchant | null
}

/** As `OpenedSession` in /openapi/v3.json. */
export interface OpenedSession extends Session {
  token: string
}

export async function signIn(proof: { code: string } | { key: string }): Promise<Session> {
  const opened = await call<OpenedSession>('POST', '/api/v3/session', { body: proof })
  beginSession(opened, opened.token)
  return opened
}

export async function readSession(): Promise<void> {
  session.set(await call<Session>('GET', '/api/v3/session'))
}

/** Ends the session on the server first; the tab forgets it whatever the answer. */
export async function signOut(): Promise<void> {
  try {
    await call<void>('DELETE', '/api/v3/session')
  } catch {
    // The session ends by itself in time; the person asked to leave, so they leave.
  } finally {
    endSession('You are signed out.')
  }
}
