import { session } from '../api/session-store.ts'

/** The currency that the merchant sees prices in. */
export function currency(): string {
  return session.get()?.merchant?.currency_code ?? 'USD'
}

export function may(scope: string): boolean {
  return session.get()?.scopes.includes(scope) ?? false
}
