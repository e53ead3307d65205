import type { Static } from 'typebox'
import type { SessionSchema } from '../../../src/http/schemas/people/sign-in.ts'
import { hasScope } from '../../../src/reference/roles.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { createPersistentStore, createStore } from '../lib/store.ts'

export type Session = Static<typeof SessionSchema>

/** The first page of each side. */
export const HOMES = {
  merchant: '/search',
  operator: '/operator',
  supplier: '/supplier/orders',
} as const

/**
 * The token lives in the open tabs only: sessionStorage is gone when a tab is closed. The browser
 * stores nothing that outlasts the session itself. A new tab asks the others for it.
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

/** What the console calls itself. A customer sees the name of the shop. */
export function brandName(): string {
  return (isCustomerView && session.get()?.merchant?.legal_dba) || 'Pavilion'
}

/** Whether the session may do what a scope stands for; buttons for anything else are left out. */
export function mayDo(scope: string): boolean {
  return hasScope(session.get()?.scopes ?? [], scope)
}

export function beginSession(opened: Session, openedToken: string): void {
  token.set(openedToken)
  signedOutReason.set(undefined)
  session.set(opened)
  tell({ kind: 'session', token: openedToken })
}

/** Ends the session in all tabs that have it. */
export function endSession(reason: string | undefined): void {
  const ended = token.get()
  forgetSession(reason)
  if (ended !== undefined) tell({ kind: 'end', token: ended, reason })
}

function forgetSession(reason: string | undefined): void {
  token.set(undefined)
  signedOutReason.set(reason)
  session.set(undefined)
}

/** What the tabs of this market tell each other. It stays in the browser's memory. */
type Message =
  | { kind: 'ask' }
  | { kind: 'session'; token: string }
  | { kind: 'end'; token: string; reason: string | undefined }

const channel = new BroadcastChannel('pavilion-session')

function tell(message: Message): void {
  channel.postMessage(message)
}

/** Called when a tab without a session gets one from another tab. */
let adopted: (() => void) | undefined

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  const own = token.get()
  if (data.kind === 'ask' && own !== undefined) tell({ kind: 'session', token: own })
  if (data.kind === 'end' && own === data.token) forgetSession(data.reason)
  if (data.kind === 'session' && own === undefined && adopted) {
    token.set(data.token)
    adopted()
  }
}

/** Anyone who signs in in another tab is signed in here, too, now or later. */
export function followOtherTabs(onSession: () => void): () => void {
  adopted = onSession
  if (token.get() === undefined) tell({ kind: 'ask' })
  return () => {
    adopted = undefined
  }
}
