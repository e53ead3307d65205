import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Scope } from '../reference/roles.ts'
import { defaultScopes, type TokenType } from './token.ts'

/**
 * What may be ordered with a token: orders a day, and wholesale US dollars a day and in one order.
 * A day is one of the market's clock in UTC. What is made with a token that has a budget shares
 * that budget, and cannot be given a larger one.
 */
export interface Budget {
  orders_per_day: number | null
  amount_per_day: number | null
  amount_per_order: number | null
}

export type BudgetRequest = { [Name in keyof Budget]?: number }

const NAMES = ['orders_per_day', 'amount_per_day', 'amount_per_order'] as const

/**
 * Somebody whom a token invites is not bound by its budget, so that a token with a budget cannot
 * invite anybody.
 */
const UNBOUND_SCOPE: Scope = 'users:write'

/** For the list of a token's columns. */
export const BUDGET = sql<Budget | null>`case when budget_key is not null then json_build_object(
  'orders_per_day', budget_orders_per_day,
  'amount_per_day', budget_amount_per_day,
  'amount_per_order', budget_amount_per_order) end`.as('budget')

/** The scopes of a token that is created without naming any. */
export function defaultScopesOf({ type, budget }: Pick<BudgetOwner, 'type' | 'budget'>): Scope[] {
  const scopes = defaultScopes(type)
  return budget ? scopes.filter((scope) => scope !== UNBOUND_SCOPE) : scopes
}

interface BudgetOwner {
  uuid: string
  type: TokenType
  scopes: readonly Scope[]
  budget?: BudgetRequest | undefined
  /** The token that makes this one. */
  made_by?: string | undefined
  /** The token that this one replaces, whose budget goes on. */
  replaces?: string | undefined
}

/** The columns of a new token: its own budget within the maker's, or the maker's itself. */
export async function budgetColumns(tx: Tx, owner: BudgetOwner) {
  const { uuid, budget: own, replaces, made_by } = owner
  if (own) refuseUnusableBudget(owner)
  const from = replaces ?? made_by
  const shared = from === undefined ? undefined : await readBudgetColumns(tx, from)
  if (!own) return shared ?? {}
  if (shared?.budget_key) refuseBeyond(shared, own)
  const limitOf = (name: keyof Budget) => own[name] ?? shared?.[`budget_${name}`] ?? null
  return {
    budget_orders_per_day: limitOf('orders_per_day') as number | null,
    budget_amount_per_day: limitOf('amount_per_day'),
    budget_amount_per_order: limitOf('amount_per_order'),
    budget_key: uuid,
  }
}

type SharedBudget = Awaited<ReturnType<typeof readBudgetColumns>>

function readBudgetColumns(tx: Tx, uuid: string) {
  return tx
    .selectFrom('token')
    .select([
      'budget_orders_per_day',
      'budget_amount_per_day',
      'budget_amount_per_order',
      'budget_key',
    ])
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
}

function refuseUnusableBudget({ type, scopes, budget }: BudgetOwner): void {
  if (!NAMES.some((name) => budget?.[name] !== undefined)) {
    throw invalid('budget', `must have at least one of ${NAMES.join(', ')}`)
  }
  if (type === 'supplier' || type === 'publishable') {
    throw invalid('budget', `is of no use to a token of type ${type}, which orders nothing`)
  }
  if (!scopes.includes(UNBOUND_SCOPE)) return
  const message = `cannot have ${UNBOUND_SCOPE}: those whom it invites would have no budget`
  throw invalid('scopes', `of a token with a budget ${message}`)
}

function refuseBeyond(shared: SharedBudget, own: BudgetRequest): void {
  for (const name of NAMES) {
    const most = shared[`budget_${name}`]
    const wanted = own[name]
    if (wanted === undefined || most === null || wanted <= Number(most)) continue
    throw invalid(`budget.${name}`, `must be at most ${Number(most)}, as of the calling token`)
  }
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}
