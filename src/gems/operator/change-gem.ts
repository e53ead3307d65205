import { sql, type Updateable } from 'kysely'
import type { Tx } from '../../database/open.ts'
import type { GemState, GemTable } from '../../database/tables/gems.ts'
import { logChanges, type StoneChange } from '../../events/change-log.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Gem } from '../gem.ts'
import { changeKindOf, type LifeState } from '../gem-life.ts'
import { endHold, recordEnded } from '../holds/end-holds.ts'
import { lockOffers } from '../offer-store.ts'
import { type FieldChanges, type OperatorAction, recordHistory } from './gem-history.ts'
import {
  OVERRIDE_COLUMNS,
  OVERRIDE_FIELDS,
  type OverrideColumn,
  type OverrideField,
} from './override-fields.ts'

/** What the operator sets for a stone; null takes an override back. An empty text means none. */
export type GemChange = { [Field in OverrideField]?: unknown } & { note?: string | null }

/** A stone as it is changed: locked, and its state by the clock. */
export type LockedGem = Gem & { life_state: LifeState }

/** Changes a stone by hand. What is set here stands until it is taken back. */
export async function changeGem(tx: Tx, sku: string, change: GemChange): Promise<void> {
  await lockOffers(tx, [sku])
  const gem = await getLocked(tx, sku)
  const logged = await writeChange(tx, gem, change, 'gem.set')
  if (logged) await logChanges(tx, [logged])
}

/** Ends the hold on a stone, by whichever of its offers and of whichever merchant. */
export async function releaseGem(tx: Tx, sku: string): Promise<void> {
  await lockOffers(tx, [sku])
  const { id } = await getLocked(tx, sku)
  const { rows } = await sql<{ sku: string; hold_uuid: string }>`
    select sku, hold_uuid from gem
    where id in (select offers_of(${id})) and life_state(gem) = 'held' order by sku`.execute(tx)
  if (rows.length === 0) throw new Refusal('not_found', `${sku} is not on hold.`)
  const logged: StoneChange[] = []
  for (const held of rows) {
    const changes = { hold: { from: held.hold_uuid, to: null } }
    await recordHistory(tx, { sku: held.sku, action: 'gem.release', changes })
    const ended = await endHold(tx, held.hold_uuid)
    if (ended) logged.push(ended)
  }
  await logChanges(tx, logged)
}

async function getLocked(tx: Tx, sku: string): Promise<LockedGem> {
  const { rows } = await sql<LockedGem>`
    select gem.*, life_state(gem) as life_state from gem where sku = ${sku}`.execute(tx)
  if (rows[0]) return rows[0]
  throw new Refusal('not_found', `There is no stone ${JSON.stringify(sku.slice(0, 100))}.`)
}

/**
 * Writes a change of a locked stone and its history. Returns what the caller has to log; undefined
 * when nothing changes, which is only recorded.
 */
export async function writeChange(
  tx: Tx,
  gem: LockedGem,
  change: GemChange,
  action: OperatorAction,
): Promise<StoneChange | undefined> {
  const plan = planChange(gem, change)
  const isMoved = plan.state !== gem.state
  const endsHold = plan.state === 'disabled' && gem.life_state === 'held'
  if (endsHold) plan.changes.hold = { from: gem.hold_uuid, to: null }
  if (Object.keys(plan.changes).length === 0) {
    await recordHistory(tx, { sku: gem.sku, action, changes: {} })
    return undefined
  }
  if (endsHold && gem.hold_uuid !== null) await endHold(tx, gem.hold_uuid)
  else if (plan.state === 'disabled') await recordEnded(tx, sql`${gem.id}`)
  const isSeen = isMoved || plan.overrides !== gem.overrides
  await tx
    .updateTable('gem')
    .set({
      ...(plan.columns as Updateable<GemTable>),
      overrides: jsonOrNull(plan.overrides),
      feed_values: jsonOrNull(plan.feedValues),
      is_manual: plan.overrides !== null,
      note: plan.note,
      ...(isMoved && { state: plan.state, mover: 'operator' as const }),
      ...(isMoved && plan.state === 'disabled' && NO_HOLD),
      ...(isSeen && { updated_on: sql<string>`market_now()` }),
    })
    .where('id', '=', gem.id)
    .execute()
  await recordHistory(tx, { sku: gem.sku, action, changes: plan.changes })
  const kind = isMoved ? changeKindOf(gem.life_state, plan.state) : kindOf(plan.columns)
  const isFollowed = isMoved || (isSeen && gem.state === 'available')
  return {
    gem_id: gem.id,
    sku: gem.sku,
    kind: isFollowed && kind !== 'prices' ? kind : null,
  }
}

const NO_HOLD = {
  hold_uuid: null,
  hold_merchant_uuid: null,
  hold_created_on: null,
  hold_expires_on: null,
}

function jsonOrNull(value: Record<string, unknown> | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

interface ChangePlan {
  /** The overridden columns and those that have the feed's value again, for the update. */
  columns: Partial<Record<OverrideColumn, unknown>>
  /** The stone's own object if nothing was set or taken back. */
  overrides: Gem['overrides']
  feedValues: Gem['feed_values']
  state: GemState
  note: string | null
  changes: FieldChanges
}

function planChange(gem: Gem, change: GemChange): ChangePlan {
  const overrides: Record<string, unknown> = { ...gem.overrides }
  const feedValues: Record<string, unknown> = { ...gem.feed_values }
  const columns: ChangePlan['columns'] = {}
  const changes: FieldChanges = {}
  const { note = gem.note } = change
  for (const field of OVERRIDE_FIELDS) {
    const value = change[field]
    if (value === undefined || isSame(overrides[field] ?? null, value)) continue
    if (field === 'enabled') {
      changes[field] = { from: isEnabled(gem), to: value ?? true }
    } else {
      const before = shownValue(gem, field)
      if (!Object.hasOwn(overrides, field)) feedValues[field] = before
      const after = value === null ? feedValues[field] : value === '' ? null : value
      if (value === null) delete feedValues[field]
      columns[field] = writtenValue(field, after)
      changes[field] = { from: before, to: after }
    }
    if (value === null) delete overrides[field]
    else overrides[field] = value
  }
  const isChanged = Object.keys(changes).length > 0
  const state = stateAfter(gem, change.enabled, overrides.enabled)
  if (state !== gem.state) changes.enabled ??= { from: isEnabled(gem), to: state !== 'disabled' }
  if (note !== gem.note) changes.note = { from: gem.note, to: note }
  const isEmpty = Object.keys(overrides).length === 0
  return {
    columns,
    overrides: isChanged ? (isEmpty ? null : overrides) : gem.overrides,
    feedValues: isEmpty ? null : feedValues,
    state,
    note,
    changes,
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A stone that is sold or on memo may be disabled, too: it is not on sale when its order ends. */
export function isEnabled({ state, overrides }: Pick<Gem, 'state' | 'overrides'>): boolean {
  return state !== 'disabled' && overrides?.enabled !== false
}

/** What is sold or on memo stays so: its order keeps it, and it is disabled when the order ends. */
function stateAfter(gem: Gem, requested: unknown, enabled: unknown): GemState {
  if (requested === undefined || gem.state === 'sold' || gem.state === 'memo') return gem.state
  if (enabled === false) return 'disabled'
  if (gem.state !== 'disabled') return gem.state
  const isSoldOut = gem.product_type === 'melee' && gem.feed_quantity !== null
  return gem.quantity > 0 || isSoldOut ? 'available' : 'gone'
}

/** The value as JSON has it. */
function shownValue(gem: Gem, column: OverrideColumn): unknown {
  const value = gem[column]
  return OVERRIDE_COLUMNS[column] === 'numeric' && value !== null ? Number(value) : value
}

function writtenValue(column: OverrideColumn, value: unknown): unknown {
  return OVERRIDE_COLUMNS[column] === 'jsonb' && value !== null ? JSON.stringify(value) : value
}

/** What followers hear of new values; of several the first that fits. */
function kindOf(columns: ChangePlan['columns']): 'price' | 'details' | 'media' {
  const names = Object.keys(columns)
  if (names.some((name) => name.startsWith('wholesale_price'))) return 'price'
  const isMedia = (name: string) => /_url$|^v360_/.test(name)
  return names.length > 0 && names.every(isMedia) ? 'media' : 'details'
}
