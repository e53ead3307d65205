import { beforeAll, describe, expect, it } from 'vitest'
import type { GemMover } from '../../src/database/tables/gems.ts'
import {
  changeKindOf,
  GEM_MOVERS,
  isOnSale,
  LIFE_STATES,
  type LifeState,
  lifeStateOf,
  mayMove,
} from '../../src/gems/gem-life.ts'
import { insertMerchant, insertStone, leaseOf, NO_LEASE, useDatabase } from '../support/stones.ts'

const database = useDatabase()
let holder: string
beforeAll(async () => {
  holder = await insertMerchant(database.current.db)
})

/** The columns of a stone in that state. */
function columnsOf(state: LifeState) {
  if (state === 'held') return { state: 'available' as const, quantity: 1, ...leaseOf(holder, 60) }
  const isOut = state === 'sold' || state === 'memo'
  return { state, quantity: isOut ? 0 : 1, ...NO_LEASE }
}

/** Tries the move in SQL, and returns whether the database allowed it. */
async function isMoved(mover: GemMover | undefined, from: LifeState, to: LifeState) {
  const { db } = database.current
  const { id } = await insertStone(db, columnsOf(from))
  const update = db.updateTable('gem').set({ ...columnsOf(to), ...(mover && { mover }) })
  return update
    .where('id', '=', id)
    .returning('mover')
    .executeTakeFirstOrThrow()
    .then(
      (row) => {
        expect(row.mover).toBeNull()
        return true
      },
      (error) => {
        expect(error).toMatchObject({ code: '23514', constraint: 'gem_moves' })
        return false
      },
    )
}

describe('the life of a stone', () => {
  for (const mover of GEM_MOVERS) {
    it(`lets ${mover} move a stone in SQL exactly as in the table`, async () => {
      for (const from of LIFE_STATES) {
        for (const to of LIFE_STATES) {
          // A stone that keeps its state does not move; only its holder renews a lease.
          const expected = from === to && from !== 'held' ? true : mayMove(mover, from, to)
          expect([from, to, await isMoved(mover, from, to)]).toEqual([from, to, expected])
        }
      }
    })
  }

  it('refuses in SQL any move without a mover', async () => {
    for (const from of LIFE_STATES) {
      for (const to of LIFE_STATES) {
        const expected = from === to && from !== 'held'
        expect([from, to, await isMoved(undefined, from, to)]).toEqual([from, to, expected])
      }
    }
  })

  it('allows updates of other columns, also of a sold stone', async () => {
    const { db } = database.current
    const { id } = await insertStone(db, columnsOf('sold'))
    await db.updateTable('gem').set({ cost: 5 }).where('id', '=', id).execute()
    const stone = await db
      .selectFrom('gem')
      .select(['cost', 'state'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(stone).toEqual({ cost: '5.00', state: 'sold' })
  })

  it('protects a live lease from every other merchant', async () => {
    const { db } = database.current
    const other = await insertMerchant(db)
    const { id } = await insertStone(db, columnsOf('held'))
    const takeOver = db
      .updateTable('gem')
      .set({ ...leaseOf(other, 60), mover: 'hold' })
      .where('id', '=', id)
    await expect(takeOver.execute()).rejects.toMatchObject({ constraint: 'gem_moves' })
  })

  it('ignores an expired lease, so that the feed and others may move the stone', async () => {
    const { db } = database.current
    const other = await insertMerchant(db)
    const expired = { ...columnsOf('available'), ...leaseOf(holder, -1) }
    const first = await insertStone(db, expired)
    const second = await insertStone(db, expired)
    await db
      .updateTable('gem')
      .set({ state: 'gone', mover: 'feed', ...NO_LEASE })
      .where('id', '=', first.id)
      .execute()
    await db
      .updateTable('gem')
      .set({ ...leaseOf(other, 60), mover: 'hold' })
      .where('id', '=', second.id)
      .execute()
    const stones = await db
      .selectFrom('gem')
      .select(['state', 'hold_merchant_uuid'])
      .where('id', 'in', [first.id, second.id])
      .orderBy('id')
      .execute()
    expect(stones).toEqual([
      { state: 'gone', hold_merchant_uuid: null },
      { state: 'available', hold_merchant_uuid: other },
    ])
  })

  it('never lets a feed move a stone that is held, on memo, sold or disabled', () => {
    for (const from of ['held', 'memo', 'sold', 'disabled'] as const) {
      expect(LIFE_STATES.filter((to) => mayMove('feed', from, to))).toEqual([])
    }
  })

  it('knows from the clock alone whether a stone is held', () => {
    const stone = { state: 'available', quantity: 1 } as const
    const noon = Date.parse('2026-01-31T12:00:00Z')
    const lifeAt = (hold_expires_on: string | null) =>
      lifeStateOf({ ...stone, hold_expires_on }, noon)
    expect(lifeAt(null)).toBe('available')
    expect(lifeAt('2026-01-31 12:00:00.001+00')).toBe('held')
    expect(lifeAt('2026-01-31 12:00:00+00')).toBe('available')
    expect(isOnSale(stone)).toBe(true)
    expect(isOnSale({ ...stone, quantity: 0 })).toBe(false)
    expect(isOnSale({ ...stone, state: 'disabled' })).toBe(false)
  })

  it('has a change kind for every move that a buyer can see, and none for the others', () => {
    const silent: string[] = []
    for (const mover of GEM_MOVERS) {
      for (const from of LIFE_STATES) {
        for (const to of LIFE_STATES) {
          if (!mayMove(mover, from, to)) continue
          if (changeKindOf(from, to) === null) silent.push(`${from} ${to}`)
        }
      }
    }
    expect(silent.sort()).toEqual([
      'disabled gone',
      'gone disabled',
      'memo disabled',
      'memo gone',
      'sold disabled',
      'sold gone',
    ])
    expect(changeKindOf('held', 'sold')).toBe('sold')
    expect(changeKindOf('held', 'available')).toBe('release')
    expect(changeKindOf('sold', 'available')).toBe('back')
    expect(changeKindOf('available', 'disabled')).toBe('gone')
  })
})
