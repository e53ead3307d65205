import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addParcel, addStones, type OrderMarket, openOrderMarket } from '../order-support.ts'

let market: OrderMarket
beforeAll(async () => {
  market = await openOrderMarket()
})
afterAll(() => market.close())

const stones = (count: number) => addStones(market.database.db, count)
const act = (uuid: string, verb: string, body: object = {}) =>
  market.call('POST', `/api/operator/orders/${uuid}/${verb}`, { token: market.adminKey, body })

async function entriesOf(uuid: string) {
  const { rows } = await sql<{ kind: string; amount: string; label: string; made_by: string }>`
    select kind, amount, label, made_by from ledger_entry where order_uuid = ${uuid}
    order by number`.execute(market.database.db)
  return rows
}
const amountsOf = async (uuid: string) =>
  (await entriesOf(uuid)).map(({ kind, amount }) => `${kind} ${amount}`)

describe('the ledger', () => {
  it('has an entry for an invoice from its placement, and none for a memo', async () => {
    const [sold, memo] = await stones(2)
    const invoice = await market.place([sold])
    expect(await entriesOf(invoice.body.uuid)).toEqual([
      { kind: 'order', amount: '1700.00', label: '', made_by: 'merchant' },
    ])
    const onMemo = await market.place([memo], { body: { order_type: 'memo' } })
    expect(await entriesOf(onMemo.body.uuid)).toEqual([])
  })

  it('has what a memo was and what it lost before it was converted', async () => {
    const { body } = await market.place(await stones(2), { body: { order_type: 'memo' } })
    const line_items = [{ uuid: body.line_items[0].uuid, quantity: 1 }]
    expect((await act(body.uuid, 'return', { line_items })).status).toBe(200)
    const converted = await act(body.uuid, 'convert')
    // The total stays as agreed: balance is total + charges - payments - credits.
    expect(converted.body).toMatchObject({
      total: 3400,
      balance: 1700,
      credits: [{ amount: 1700, label: 'Returned goods' }],
    })
    expect(converted.body.documents.map(({ kind }: { kind: string }) => kind)).toEqual([
      'memo',
      'invoice',
    ])
    const entries = ['order 3400.00', 'credit -1700.00']
    expect(await amountsOf(body.uuid)).toEqual(entries)
    expect((await act(body.uuid, 'pay')).body.payment_status).toBe('paid')
    expect(await amountsOf(body.uuid)).toEqual([...entries, 'payment -1700.00'])
  })

  it('credits what is cancelled, to the cent also in steps', async () => {
    const parcel = await addParcel(market.database.db, 100)
    const { body } = await market.place([], {
      body: { line_items: [{ sku: parcel, quantity: 9 }] },
    })
    const cancel = (quantity: number) =>
      act(body.uuid, 'cancel', { line_items: [{ uuid: body.line_items[0].uuid, quantity }] })
    for (const quantity of [1, 3, 5]) expect((await cancel(quantity)).status).toBe(200)
    // Nine at 1.625 are 14.625; 13.00 and 8.125 are left after the first steps.
    expect(await amountsOf(body.uuid)).toEqual([
      'order 14.63',
      'credit -1.63',
      'credit -4.87',
      'credit -8.13',
    ])
  })

  it('is never changed or deleted', async () => {
    const { db } = market.database
    const update = sql`update ledger_entry set amount = 0`.execute(db)
    await expect(update).rejects.toThrow(/never changed/)
    await expect(sql`delete from ledger_entry`.execute(db)).rejects.toThrow(/never changed/)
  })
})
