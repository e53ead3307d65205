import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markupFactor, wholesaleCents } from '../../src/gems/supplier.ts'
import {
  createSupplier,
  findOrCreateSupplier,
  findSupplier,
  getSupplier,
  listSuppliers,
  setSupplier,
} from '../../src/gems/supplier-store.ts'
import { digitsFrom, divideHalfUp } from '../../src/lib/money.ts'
import { useDatabase } from '../support/stones.ts'

const database = useDatabase()

describe('suppliers', () => {
  it('are created with the settings given and the defaults for the rest', async () => {
    const { db } = database.current
    const supplier = await createSupplier(db, '  Northlight   Diamonds ', {
      country_code: 'IND',
      markup: '12.5',
      mapping: { 'Cts.': 'weight' },
    })
    expect(supplier).toMatchObject({
      name: 'Northlight Diamonds',
      country_code: 'IND',
      currency_code: 'USD',
      markup: '12.50',
      markup_us: '0.00',
      si3: 'SI2',
      fresh_days: 8,
      mapping: { 'Cts.': 'weight' },
    })
    expect(await findSupplier(db, 'NORTHLIGHT diamonds')).toEqual(supplier)
  })

  it('have unique names, whatever the case', async () => {
    const { db } = database.current
    await createSupplier(db, 'Quillwater Stones')
    const second = createSupplier(db, 'quillwater stones')
    await expect(second).rejects.toMatchObject({ code: 'supplier_name_taken' })
  })

  it('keep every setting that a change does not mention', async () => {
    const { db } = database.current
    const before = await createSupplier(db, 'Tarnbrook Gems', { markup: 5, mapping: { a: 'sku' } })
    const after = await setSupplier(db, 'tarnbrook gems', { fresh_days: null, si3: 'I1' })
    expect({ ...after, updated_on: '' }).toEqual({
      ...before,
      fresh_days: null,
      si3: 'I1',
      updated_on: '',
    })
    expect((await setSupplier(db, 'Tarnbrook Gems', { mapping: null })).mapping).toBeNull()
  })

  it('stay as they are when a change mentions no setting', async () => {
    const { db } = database.current
    const before = await createSupplier(db, 'Fenwater Stones', { markup: 5 })
    expect(await setSupplier(db, 'Fenwater Stones', {})).toEqual(before)
  })

  it('are not found by an unknown name, which is refused with the nearest known one', async () => {
    const { db } = database.current
    await createSupplier(db, 'Ostermere Brilliants')
    const unknown = { code: 'not_found', message: expect.stringContaining('Ostermere Brilliants') }
    await expect(getSupplier(db, 'Ostermer Briliants')).rejects.toMatchObject(unknown)
    await expect(setSupplier(db, 'Nobody', { markup: 1 })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it.each([
    ['country_code', { country_code: 'IN' }],
    ['currency_code', { currency_code: 'usd' }],
    ['currency_code', { currency_code: 'ZZZ' }],
    ['markup', { markup: -100 }],
    ['markup_us', { markup_us: '1.005' }],
    ['delivery_days_min', { delivery_days_min: -1 }],
    ['delivery_days_max', { delivery_days_min: 9, delivery_days_max: 8 }],
    ['fresh_days', { fresh_days: 0 }],
    ['days_to_return', { days_to_return: 1.5 }],
  ])('are refused with a wrong %s, and nothing is stored', async (field, settings) => {
    const { db } = database.current
    const name = `Refused ${field}`
    await expect(createSupplier(db, name, settings)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ field }],
    })
    expect(await findSupplier(db, name)).toBeUndefined()
  })

  it('are refused without a name', async () => {
    const nameless = createSupplier(database.current.db, '   ')
    await expect(nameless).rejects.toMatchObject({ errors: [{ field: 'name' }] })
  })

  it('are created once by two first imports at the same time', async () => {
    const { db } = database.current
    const import_ = () =>
      db.transaction().execute((tx) => findOrCreateSupplier(tx, 'Fenwhistle Growers'))
    const [first, second] = await Promise.all([import_(), import_()])
    expect(second.uuid).toBe(first.uuid)
    const names = (await listSuppliers(db)).map(({ name }) => name)
    expect(names.filter((name) => name === 'Fenwhistle Growers')).toHaveLength(1)
    expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  })
})

describe('wholesaleCents', () => {
  it('is the exact product, rounded half up', () => {
    expect(wholesaleCents(10_050, markupFactor('0.5'))).toBe(10_100)
    expect(wholesaleCents(100, markupFactor('12.5'))).toBe(113)
    expect(wholesaleCents(1, markupFactor('-99'))).toBe(1)
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000_000 }),
        fc.integer({ min: -9_999, max: 1_000_000 }),
        (cents, markup) => {
          fc.pre(cents * (10_000 + markup) * 2 <= Number.MAX_SAFE_INTEGER)
          const exact = divideHalfUp(BigInt(cents) * BigInt(10_000 + markup), 10_000n)
          const price = wholesaleCents(cents, markupFactor(digitsFrom(markup)))
          expect(price).toBe(Math.max(1, Number(exact)))
        },
      ),
      { numRuns: 2000 },
    )
  })
})
