/**
 * What a token may do, and what each role of a user is: a set of scopes. Access is checked by scope
 * only (`http/request/access.ts`); nothing asks for a role.
 */

// biome-ignore format: a list of names
export const SCOPES = [
  'search', 'orders:read', 'orders:write', 'settings:read', 'settings:write', 'inventory',
  'keys:write', 'inventory:read', 'merchants:write', 'users:read', 'users:write',
  'enquiries:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** A narrow scope, and the wider one that contains it. */
const CONTAINED_IN: ReadonlyMap<string, Scope> = new Map([
  // Searching stock and looking at holds, without placing one or importing anything.
  ['inventory:read', 'inventory'],
  // What the operator sets for a merchant, without the settings of the market and its tokens.
  ['merchants:write', 'settings:write'],
  // Passing on what a visitor of a shop asks, without ordering anything.
  ['enquiries:write', 'orders:write'],
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

/** What a key can do at all that everybody can read in the page of a shop. */
export const PUBLISHABLE_SCOPES: readonly Scope[] = ['search', 'inventory:read', 'enquiries:write']

/** What a merchant can do: all but what the operator does for merchants. */
export const MERCHANT_SCOPES: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'merchants:write',
)

/** Whose users they are. Every side has roles of its own. */
export type Side = 'merchant' | 'supplier' | 'operator'

/** The role that may do everything comes first; a side that has users keeps one who has it. */
export const ROLES = {
  merchant: ['owner', 'buyer', 'viewer'],
  supplier: ['owner', 'viewer'],
  operator: ['admin', 'sales', 'stock'],
} as const satisfies Record<Side, readonly string[]>

export type Role = (typeof ROLES)[Side][number]
export const ALL_ROLES = ['owner', 'buyer', 'viewer', 'admin', 'sales', 'stock'] as const

const READING: readonly Scope[] = [
  'search',
  'orders:read',
  'settings:read',
  'inventory:read',
  'users:read',
]

const SCOPES_OF: Record<Side, ReadonlyMap<string, readonly Scope[]>> = {
  merchant: new Map([
    ['owner', WIDE_SCOPES],
    // Settings are read to order: where it is shipped to, and what is curated.
    ['buyer', [...READING, 'orders:write', 'inventory']],
    ['viewer', READING],
  ]),
  supplier: new Map([
    ['owner', SUPPLIER_SCOPES.filter((scope) => WIDE_SCOPES.includes(scope))],
    ['viewer', READING.filter((scope) => SUPPLIER_SCOPES.includes(scope))],
  ]),
  operator: new Map([
    ['admin', WIDE_SCOPES],
    ['sales', [...READING, 'orders:write', 'merchants:write']],
    ['stock', [...READING, 'inventory']],
  ]),
}

/** What a user with the role may do. */
export function scopesOfRole(side: Side, role: string): readonly Scope[] {
  const scopes = SCOPES_OF[side].get(role)
  if (!scopes) throw new Error(`${side} has no role ${role}`)
  return scopes
}

/** The role that may do everything, of which one user must remain. */
export function highestRole(side: Side): Role {
  return ROLES[side][0]
}
