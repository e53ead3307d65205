import type { Static } from 'typebox'
import type { SessionSchema } from '../../../src/http/schemas/people/sign-in.ts'
import { createPersistentStore, createStore } from '../lib/store.ts'

export type Session = Static<typeof SessionSchema>

/** The first page of each side. */
export const HOMES = {
  merchant: '/search',
  operator: '/operator',
  supplier: '/supplier/orders',
} as const

/**
 * The token lives in this tab only: sessionStorage is gone when the tab is closed. The browser
 * stores nothing that outlasts the session itself.
 */
const token = createPersistentStore<string | undefined>(
  window.sessionStorage,
  'pavilion-session',
  undefined,
)

export const session = createStore<Session | undefined>(undefined)
/** Why the person has to sign in again, in a sentence. */
export const signedOutReason = createStore<string | undefined>(undefined)

export function sessionToken(): string | undefined {
  return token.get()
}

/** The currency in which the merchant sees prices. */
export function sessionCurrency(): string {
  return session.get()?.merchant?.currency_code ?? 'USD'
}

export function beginSession(opened: Session, openedToken: string): void {
  token.set(openedToken)
  signedOutReason.set(undefined)
  session.set(opened)
}

export function endSession(reason: string | undefined): void {
  token.set(undefined)
  signedOutReason.set(reason)
  session.set(undefined)
}
