import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OrderType } from '../../../src/database/tables/orders.ts'
import {
  destinationOf,
  mayTake,
  ORDER_STEPS,
  type OrderStep,
  ROLES,
  type Role,
  UNIT_STATES,
  type UnitState,
} from '../../../src/orders/order-life.ts'
import { insertMerchant, useDatabase } from '../../support/stones.ts'

const database = useDatabase()
const TYPES: OrderType[] = ['invoice', 'memo']
const orders = new Map<OrderType, string>()

beforeAll(async () => {
  const { db } = database.current
  const merchant = await insertMerchant(db)
  for (const type of TYPES) {
    const { rows } = await sql<{ uuid: string }>`
      insert into orders (uuid, merchant_uuid, order_id, order_type, order_channel, memo_id,
        ordered_on, updated_on, total, open_quantity, merchant, merchant_legal_dba,
        billing_address, shipping_address, margins, words)
      values (gen_random_uuid(), ${merchant}, ${type}, ${type}, 'api', ${type}, market_now(),
        market_now(), 1, 1, '{}', '', '{}', '{}', '{}', '')
      returning uuid`.execute(db)
    orders.set(type, rows[0].uuid)
  }
})

/** The counters and the confirmation of a line whose only unit is in that state. */
function columnsOf(state: UnitState) {
  return {
    open: ['unconfirmed', 'accepted', 'confirmed'].includes(state) ? 1 : 0,
    shipped: state === 'shipped' ? 1 : 0,
    cancelled: state === 'cancelled' ? 1 : 0,
    returned: state === 'returned' ? 1 : 0,
  }
}

function confirmedBy(state: UnitState): string | null {
  if (state === 'unconfirmed') return null
  return state === 'accepted' ? 'placement' : 'operator'
}

interface Attempt {
  step: OrderStep | null
  role: Role
  type: OrderType
  from: UnitState
  to: UnitState
}

let position = 0

/** Tries to move a unit in SQL, and returns whether the database allowed it. */
async function isMoved({ step, role, type, from, to }: Attempt): Promise<boolean> {
  const { db } = database.current
  const [before, after] = [columnsOf(from), columnsOf(to)]
  // What is cancelled or returned keeps the answer that it had.
  const keeps = to === 'cancelled' || to === 'returned'
  const answer = keeps ? confirmedBy(from) : confirmedBy(to)
  const declined = step === 'decline' && to === 'cancelled'
  position++
  const { rows } = await sql<{ uuid: string }>`
    insert into order_line (uuid, order_uuid, position, name, sku, product_type, quantity, price,
      open_quantity, fulfilled_quantity, cancelled_quantity, returned_quantity, confirmed_by,
      confirmed_on, created_on, updated_on)
    values (gen_random_uuid(), ${orders.get(type)}, ${position}, '', '', 'gem', 1, 1,
      ${before.open}, ${before.shipped}, ${before.cancelled}, ${before.returned},
      ${confirmedBy(from)}::text,
      case when ${confirmedBy(from)}::text is not null then market_now() end, market_now(),
      market_now())
    returning uuid`.execute(db)
  const { uuid } = rows[0]
  const shipped = from === 'shipped' && to === 'returned' ? 1 : after.shipped
  const update = sql<{ step: string | null }>`
    update order_line set open_quantity = ${after.open}, fulfilled_quantity = ${shipped},
      cancelled_quantity = ${after.cancelled}, returned_quantity = ${after.returned},
      confirmed_by = ${answer}::text,
      confirmed_on = case when ${answer}::text is not null then market_now() end,
      declined_on = case when ${declined} then market_now() end,
      step = ${step}, step_by = ${role}
    where uuid = ${uuid} returning step`.execute(db)
  const isDone = await update.then(
    ({ rows: [row] }) => {
      expect(row.step).toBeNull()
      return true
    },
    (error) => {
      expect(error).toMatchObject({ code: '23514' })
      return false
    },
  )
  await sql`delete from order_line where uuid = ${uuid}`.execute(db)
  return isDone
}

describe('the life of an order', () => {
  for (const role of ROLES) {
    it(`lets the ${role} move units in SQL exactly as in the table`, async () => {
      for (const type of TYPES) {
        for (const step of ORDER_STEPS) {
          for (const from of UNIT_STATES) {
            for (const to of UNIT_STATES) {
              if (from === to) continue
              const attempt = { step, role, type, from, to }
              const expected = destinationOf(step) === to && mayTake(step, role, type, from)
              expect([attempt, await isMoved(attempt)]).toEqual([attempt, expected])
            }
          }
        }
      }
    })
  }

  it('refuses in SQL to move a unit without a step', async () => {
    for (const from of UNIT_STATES) {
      for (const to of UNIT_STATES) {
        if (from === to) continue
        const attempt = { step: null, role: 'operator', type: 'memo', from, to } as const
        expect([from, to, await isMoved(attempt)]).toEqual([from, to, false])
      }
    }
  })

  it('lets nobody but the operator turn a memo into an invoice, by converting it', async () => {
    const { db } = database.current
    for (const step of [null, ...ORDER_STEPS]) {
      for (const role of ROLES) {
        for (const [from, to] of [
          ['memo', 'invoice'],
          ['invoice', 'memo'],
        ] as const) {
          const isAllowed = step === 'convert' && role === 'operator' && from === 'memo'
          const work = db.transaction().execute(async (tx) => {
            await sql`
              update orders set order_type = ${to}, memo_id = 'M', step = ${step},
                step_by = ${role}
              where uuid = ${orders.get(from)}`.execute(tx)
            throw new Error('allowed')
          })
          await expect(work).rejects.toThrow(isAllowed ? 'allowed' : /may not turn/)
        }
      }
    }
  })

  it('keeps what was agreed about a line', async () => {
    const { db } = database.current
    const uuid = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
    await sql`
      insert into order_line (uuid, order_uuid, position, name, sku, product_type, quantity, price,
        open_quantity, created_on, updated_on)
      values (${uuid}, ${orders.get('memo')}, 100000, '', 'A', 'gem', 2, 1, 2, market_now(),
        market_now())`.execute(db)
    for (const change of [`price = 2`, `sku = 'B'`, `quantity = 3, open_quantity = 3`]) {
      const update = sql`
        update order_line set ${sql.raw(change)}, step = 'cancel', step_by = 'operator'
        where uuid = ${uuid}`.execute(db)
      await expect(update).rejects.toMatchObject({ constraint: 'order_steps' })
    }
  })
})
