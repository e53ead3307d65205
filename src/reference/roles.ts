/**
 * What a token may do, and what each role of a user is: a set of scopes. Access is checked by scope
 * only (`http/request/access.ts`); nothing asks for a role.
 */

// biome-ignore format: a list of names
export const SCOPES = [
  'search', 'orders:read', 'orders:write', 'settings:read', 'settings:write', 'inventory',
  'keys:write', 'inventory:read', 'merchants:write', 'users:read', 'users:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** A narrow scope, and the wider one that contains it. */
const CONTAINED_IN: ReadonlyMap<string, Scope> = new Map([
  // Searching stock and looking at holds, without placing one or importing anything.
  ['inventory:read', 'inventory'],
  // What the operator sets for a merchant, without the settings of the market and its tokens.
  ['merchants:write', 'settings:write'],
])

/** Whether a token with these scopes may do what the scope stands for. */
export function hasScope(scopes: readonly string[], scope: string): boolean {
  if (scopes.includes(scope)) return true
  const wider = CONTAINED_IN.get(scope)
  return wider !== undefined && scopes.includes(wider)
}

/** The scopes that no other contains, so that a list of them says nothing twice. */
export const WIDE_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !CONTAINED_IN.has(scope))

/** What a supplier can do at all: look after its stock and its users, and answer its orders. */
export const SUPPLIER_SCOPES: readonly Scope[] = [
  'orders:read',
  'orders:write',
  'inventory',
  'inventory:read',
  'users:read',
  'users:write',
]

/** The roles of a merchant's, a supplier's and the operator's users. */
export type Role = 'owner' | 'buyer' | 'viewer' | 'admin' | 'sales' | 'stock'
