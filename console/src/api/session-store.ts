import { createPersistentStore, createStore } from '../lib/store.ts'
import type { Session } from './session.ts'

/**
 * The session lives in this tab only: sessionStorage is gone when the tab is. Nothing that lasts
 * longer than the session itself is kept in the browser.
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

export function beginSession(opened: Session, openedToken: string): void {
  token.set(openedToken)
  signedOutReason.set(undefined)
  session.set(opened)
}

export function endSession(why: string | undefined): void {
  token.set(undefined)
  signedOutReason.set(why)
  session.set(undefined)
}
