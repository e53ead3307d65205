import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../../src/database/migrate.ts'
import { type Database, openDatabase } from '../../../src/database/open.ts'
import { type ClonedDatabase, emptyDatabase } from '../../support/database.ts'

/** Orders from before there was a ledger. */
let empty: ClonedDatabase
let database: Database
let folder: string

beforeAll(async () => {
  empty = await emptyDatabase()
  database = openDatabase({ url: empty.url })
  folder = await mkdtemp(join(tmpdir(), 'pavilion-earlier-'))
  const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
  const earlier = (await readdir(migrations)).filter((name) => /^00([01]\d|2[0-4])/.test(name))
  for (const name of earlier) await copyFile(join(migrations, name), join(folder, name))
  await migrate(database.db, folder)
})
afterAll(async () => {
  await database.close()
  await empty.drop()
  await rm(folder, { recursive: true })
})

interface Earlier {
  number: number
  quantity: number
  price: number
  type?: 'invoice' | 'memo'
  memo?: boolean
  paid?: boolean
  returned?: number
  /** Units, and the day on which they were cancelled. */
  cancelled?: [quantity: number, day: number][]
  /** The days of events. */
  events?: [type: string, day: number][]
}

const uuidOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const at = (day: number) => `2026-01-${String(day).padStart(2, '0')} 10:00:00+00`

async function insert(order: Earlier): Promise<void> {
  const { db } = database
  const { number, quantity, price, type = 'invoice', paid, returned = 0, cancelled = [] } = order
  const gone = cancelled.reduce((sum, [units]) => sum + units, 0)
  const uuid = uuidOf(number)
  await sql`
    insert into orders (uuid, merchant_uuid, order_id, order_type, order_channel, payment_status,
      memo_id, ordered_on, updated_on, total, open_quantity, merchant, merchant_legal_dba,
      billing_address, shipping_address, margins, words)
    values (${uuid}, ${uuidOf(0)}, ${`PO-${number}`}, ${type}, 'api', ${paid ? 'paid' : null},
      ${order.memo ? `M-${number}` : null}, ${at(1)}, ${at(20)}, ${price * quantity}::numeric,
      ${quantity - gone - returned}, '{}', '', '{}', '{}', '{}', '')`.execute(db)
  await sql`
    insert into order_line (uuid, order_uuid, position, name, sku, product_type, quantity, price,
      cancelled_quantity, returned_quantity, open_quantity, created_on, updated_on)
    values (${uuid}, ${uuid}, 0, '', 'S', 'gem', ${quantity}, ${price}::numeric, ${gone},
      ${returned}, ${quantity - gone - returned}, ${at(1)}, ${at(1)})`.execute(db)
  for (const [units, day] of cancelled) {
    await sql`
      insert into cancellation (uuid, order_uuid, line_uuid, quantity, created_on)
      values (gen_random_uuid(), ${uuid}, ${uuid}, ${units}, ${at(day)})`.execute(db)
  }
  for (const [event_type, day] of order.events ?? []) {
    await sql`
      insert into event (uuid, merchant_uuid, sequence, order_uuid, event_type, event_data, created_on)
      values (gen_random_uuid(), ${uuidOf(0)}, ${number * 100 + day}, ${uuid}, ${event_type}, '{}',
        ${at(day)})`.execute(db)
  }
}

describe('orders from before the ledger', () => {
  it('get the entries that their steps would have written', async () => {
    const { db } = database
    await sql`insert into merchant (uuid, legal_dba, email, country_code)
      values (${uuidOf(0)}, 'Earlier', 'earlier@shop.example', 'US')`.execute(db)
    const melee = { quantity: 9, price: 1.625 }
    await insert({ number: 1, ...melee })
    await insert({ number: 2, ...melee, paid: true, events: [['order.pay', 5]] })
    await insert({
      number: 3,
      ...melee,
      cancelled: [
        [1, 3],
        [3, 4],
        [5, 5],
      ],
    })
    await insert({
      number: 4,
      ...melee,
      paid: true,
      cancelled: [
        [4, 3],
        [5, 9],
      ],
      events: [['order.pay', 5]],
    })
    await insert({ number: 5, ...melee, type: 'memo', memo: true })
    await insert({
      number: 6,
      ...melee,
      memo: true,
      returned: 2,
      cancelled: [
        [1, 2],
        [1, 8],
      ],
      events: [['order.memo.convert', 5]],
    })
    await insert({ number: 7, ...melee, paid: true })
    await migrate(db)
    const { rows } = await sql<{ number: number; entries: string[] }>`
      select right(order_uuid::text, 2)::int as number,
        array_agg(kind || ' ' || amount || ' ' || to_char(dated_on, 'DD') order by number) as entries
      from ledger_entry group by order_uuid order by 1`.execute(db)
    expect(rows.map(({ number, entries }) => [number, ...entries])).toEqual([
      [1, 'order 14.63 01'],
      [2, 'order 14.63 01', 'payment -14.63 05'],
      [3, 'order 14.63 01', 'credit -1.63 03', 'credit -4.87 04', 'credit -8.13 05'],
      [4, 'order 14.63 01', 'credit -6.50 03', 'payment -8.13 05', 'credit -8.13 09'],
      [6, 'order 9.75 05', 'credit -1.62 08'],
      [7, 'order 14.63 01', 'payment -14.63 20'],
    ])
  })
})
