import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { csvOf, stones } from './import-support.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

async function upload(
  query: string,
  content: string | Buffer,
  type = 'text/csv',
  headers: Record<string, string> = {},
  action: '' | '/explain' = '',
) {
  const response = await market.app.inject({
    method: 'POST',
    url: `/api/operator/imports${action}?${query}`,
    headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': type, ...headers },
    payload: content,
  })
  const replayed = response.headers['idempotent-replayed'] === 'true'
  return { status: response.statusCode, body: response.json(), replayed }
}

const asAdmin = (method: string, path: string, body?: unknown) =>
  market.call(method, path, { token: market.adminKey, body })

describe('POST /api/operator/imports', () => {
  it('accepts the file as the body, of any type and size', async () => {
    const first = await upload('supplier=Surat%20Gems&file_name=a.csv', csvOf(stones(20)))
    expect(first).toMatchObject({ status: 200, body: { added: 20, rows: 20, mode: 'update' } })
    const json = JSON.stringify(
      stones(21).map(({ stock, weight, perCarat }) => ({
        stock_num: stock,
        size: weight,
        shape: 'Round',
        color: 'G',
        clarity: 'VS1',
        price_per_carat: perCarat,
      })),
    )
    expect(await upload('supplier=Surat%20Gems', json, 'application/json')).toMatchObject({
      status: 200,
      body: { added: 1, rows: 21 },
    })
    const large = csvOf(
      stones(10_000, (stone) => ({ ...stone, stock: stone.stock.padEnd(95, 'x') })),
    )
    expect(large.length).toBeGreaterThan(1024 * 1024)
    expect(await upload('supplier=Large', large, 'application/octet-stream')).toMatchObject({
      status: 200,
      body: { added: 10_000 },
    })
  })

  it('replays the response for a repeated upload, and refuses its key for another file', async () => {
    const headers = { 'idempotency-key': 'nightly-1' }
    const send = (count: number) =>
      upload('supplier=Nightly', csvOf(stones(count)), 'text/csv', headers)
    const first = await send(5)
    expect(first).toMatchObject({ status: 200, replayed: false, body: { added: 5 } })
    expect(await send(5)).toEqual({ ...first, replayed: true })
    expect(await send(6)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    const undo = () =>
      market.call('POST', `/api/operator/imports/${first.body.uuid}/undo`, {
        token: market.adminKey,
        headers: { 'idempotency-key': 'undo-1' },
      })
    const undone = await undo()
    expect([undone.status, (await undo()).text]).toEqual([200, undone.text])
  })

  it('refuses the same file again under the same key', async () => {
    const headers = { 'idempotency-key': 'nightly-2' }
    const wrong = await upload('supplier=Again', 'hello\nworld\n', 'text/csv', headers)
    expect(wrong.status).toBe(422)
    const again = await upload('supplier=Again', 'hello\nworld\n', 'text/csv', headers)
    expect([again.status, again.body.detail]).toEqual([422, wrong.body.detail])
  })

  it('reports errors in the query and in the file as problems', async () => {
    expect(await upload('mode=update', csvOf(stones(1)))).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'supplier' }] },
    })
    expect(await upload('supplier=X&mod=replace', csvOf(stones(1)))).toMatchObject({ status: 422 })
    expect(await upload('supplier=X&mapping=%7B', csvOf(stones(1)))).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'mapping' }] },
    })
    expect(await upload('supplier=X', 'hello\nworld\n')).toMatchObject({
      status: 422,
      body: { code: 'invalid_request' },
    })
    expect(await upload('supplier=X', '')).toMatchObject({
      status: 422,
      body: { detail: 'The file is empty.' },
    })
    await upload('supplier=Brake', csvOf(stones(10)))
    expect(await upload('supplier=Brake&mode=replace', csvOf(stones(3)))).toMatchObject({
      status: 409,
      body: { code: 'too_many_removed', removed: 7, live: 10 },
    })
  })

  it('returns the mapping that it would use, and takes it back with the supplier', async () => {
    const file = csvOf(stones(3)).replace('Shape', 'Form').replaceAll('Round', 'Kreis')
    const explained = await upload('supplier=Ordered', file, 'text/csv', {}, '/explain')
    expect(explained).toMatchObject({ status: 200, body: { Weight: 'weight' } })
    expect(explained.body['//']).toHaveLength(2)
    expect(explained.body.Form).toEqual({ field: null, note: expect.stringContaining('"Kreis"') })
    const { body } = await asAdmin('POST', '/api/operator/suppliers', {
      name: 'Ordered',
      mapping: { ...explained.body, Form: { field: 'shape', values: { Kreis: 'round' } } },
    })
    expect(await upload('supplier=Ordered', file)).toMatchObject({ body: { added: 3 } })
    const path = `/api/operator/suppliers/${body.uuid}`
    expect(await asAdmin('PATCH', path, { mapping: { A: 'wieght' } })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'mapping.A', message: expect.stringContaining('weight?') }] },
    })
    const constant = encodeURIComponent('{"Form":{"field":"shape"},"shape":{"value":"round"}}')
    expect(await upload(`supplier=Ordered&mapping=${constant}`, file)).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'both "shape (constant)" and "Form" are shape' }] },
    })
    const own = encodeURIComponent('{"Form":null,"shape":{"value":"round"}}')
    expect(await upload(`supplier=Ordered&relearn=true&mapping=${own}`, file)).toMatchObject({
      body: {
        unchanged: 3,
        columns: expect.arrayContaining([
          expect.objectContaining({ column: 'shape (constant)', constant: 'round' }),
        ]),
      },
    })
  })

  it('is for the operator only', async () => {
    const { key } = await market.merchant()
    const paths: [string, string][] = [
      ['GET', '/api/operator/imports'],
      ['GET', '/api/operator/suppliers'],
      ['GET', '/api/operator/inventory/conflicts'],
    ]
    for (const [method, path] of paths)
      expect((await market.call(method, path, { token: key })).status).toBe(403)
    const response = await market.app.inject({
      method: 'POST',
      url: '/api/operator/imports?supplier=X',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
      payload: csvOf(stones(1)),
    })
    expect(response.statusCode).toBe(403)
  })
})

describe('the history of imports', () => {
  it('can be undone by one import, and not further', async () => {
    const uuids: string[] = []
    for (const more of [0, 50]) {
      const file = csvOf(stones(3, (stone) => ({ ...stone, perCarat: stone.perCarat + more })))
      const { status, body } = await upload('supplier=Twice', file)
      expect([status, body.detail]).toEqual([200, undefined])
      uuids.push(body.uuid)
    }
    const undo = (uuid: string) => asAdmin('POST', `/api/operator/imports/${uuid}/undo`)
    expect((await undo(uuids[1])).body).toMatchObject({ status: 'undone' })
    const { status, body } = await undo(uuids[0])
    expect([status, body.code]).toEqual([409, 'nothing_to_undo'])
    expect(body.detail).toContain(uuids[1])
    const { body: detail } = await asAdmin('GET', `/api/operator/imports/${uuids[0]}`)
    expect(detail.status).toBe('done')
  })

  it('lists, shows and undoes imports', async () => {
    const { body: report } = await upload(
      'supplier=History',
      `${csvOf(stones(3)).trimEnd()}\nS-9,G,Round,,G,VS1,1,\n`
        .replaceAll('\n', ',HRD\n')
        .replace(',HRD', ',Lab'),
    )
    const { body: page } = await asAdmin('GET', '/api/operator/imports?supplier=History')
    expect(page).toMatchObject({
      total: 1,
      imports: [{ uuid: report.uuid, status: 'done', added: 3, rejected: 1 }],
    })
    const { body: detail } = await asAdmin('GET', `/api/operator/imports/${report.uuid}`)
    expect(detail.rejections).toEqual([
      { row: 5, column: 'Weight', value: '', reason: 'The weight is missing' },
    ])
    expect(detail.columns[0]).toMatchObject({ column: 'Stock #', field: 'vendor_sku' })
    expect(detail.notes).toEqual({
      si3: 0,
      estimated_sizes: 0,
      unreadable: [],
      other_labs: [{ lab_original: 'HRD', count: 3 }],
      file: [],
    })
    expect(await asAdmin('POST', `/api/operator/imports/${report.uuid}/undo`)).toMatchObject({
      status: 200,
      body: { status: 'undone' },
    })
    expect(await asAdmin('POST', `/api/operator/imports/${report.uuid}/undo`)).toMatchObject({
      status: 409,
      body: { code: 'nothing_to_undo' },
    })
    expect(
      (await asAdmin('GET', '/api/operator/imports/0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90')).status,
    ).toBe(404)
  })
})

describe('the list of imports', () => {
  it('is sorted by what the caller names, newest first otherwise', async () => {
    for (const [supplier, count] of [
      ['Sorted B', 2],
      ['Sorted A', 5],
      ['Sorted C', 1],
    ] as const) {
      await upload(`supplier=${encodeURIComponent(supplier)}`, csvOf(stones(count)))
    }
    const listed = async (query: string) => {
      const { body } = await asAdmin('GET', `/api/operator/imports?limit=1000&${query}`)
      const ours = body.imports.filter((row: { supplier: string }) =>
        row.supplier.startsWith('Sorted'),
      )
      return ours.map((row: { supplier: string }) => row.supplier.at(-1)).join('')
    }
    expect(await listed('')).toBe('CAB')
    expect(await listed('sort_order=asc')).toBe('BAC')
    expect(await listed('sort_col=supplier&sort_order=asc')).toBe('ABC')
    expect(await listed('sort_col=added')).toBe('ABC')
    expect((await asAdmin('GET', '/api/operator/imports?sort_col=notes')).status).toBe(422)
  })

  it('is filtered by a part of the file name and by status', async () => {
    const of = 'supplier=Filtered'
    for (const name of ['May_100%25.csv', 'june.csv']) {
      await upload(`${of}&file_name=${name}`, csvOf(stones(name.length)))
    }
    await upload(`${of}&file_name=empty.csv`, 'nothing at all')
    const listed = async (query: string) => {
      const { body } = await asAdmin('GET', `/api/operator/imports?${of}&${query}`)
      expect(body.imports).toHaveLength(body.total)
      return body.imports.map((row: { file_name: string }) => row.file_name)
    }
    expect(await listed('q=MAY')).toEqual(['May_100%.csv'])
    expect(await listed('q=0%25')).toEqual(['May_100%.csv'])
    expect(await listed('q=_')).toEqual(['May_100%.csv'])
    expect(await listed('status=done')).toEqual(['june.csv', 'May_100%.csv'])
    expect(await listed('status=failed')).toEqual(['empty.csv'])
    expect(await listed('status=failed&q=june')).toEqual([])
    expect((await asAdmin('GET', '/api/operator/imports?q=%00')).status).toBe(422)
    expect((await asAdmin('GET', '/api/operator/imports?status=lost')).status).toBe(422)
  })
})

describe('suppliers', () => {
  it('are created, read, changed and listed', async () => {
    const made = await asAdmin('POST', '/api/operator/suppliers', {
      name: 'Northlight',
      country_code: 'IND',
      markup: 4.5,
      si3: 'I1',
    })
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Northlight', markup: 4.5, si3: 'I1', fresh_days: 8 },
    })
    const changed = await asAdmin('PATCH', `/api/operator/suppliers/${made.body.uuid}`, {
      fresh_days: null,
      mapping: { A: 'weight', B: null },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { fresh_days: null, markup: 4.5, mapping: { A: 'weight', B: null } },
    })
    const { body } = await asAdmin('GET', '/api/operator/suppliers')
    expect(body.suppliers.map(({ name }: { name: string }) => name)).toContain('Northlight')
    expect((await asAdmin('POST', '/api/operator/suppliers', { name: 'NORTHLIGHT' })).status).toBe(
      409,
    )
    expect(
      (await asAdmin('POST', '/api/operator/suppliers', { name: 'Y', colour: 1 })).status,
    ).toBe(422)
  })
})

describe('conflicts and quarantine', () => {
  it('list certificates whose offers contradict each other, and suspicious prices', async () => {
    const header = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat,Lab,Report #\n'
    await upload(
      'supplier=One',
      `${header}A,Round,1.01,G,VS1,5000,GIA,7712345678\nB,Round,1.5,G,VS1,5000,GIA,7712345679\n`,
    )
    await upload(
      'supplier=Two',
      `${header}C,Round,1.11,H,VS1,5000,GIA,7712345678\nD,Round,1.5,G,VS1,5000,GIA,7712345679\n`,
    )
    const { body } = await asAdmin('GET', '/api/operator/inventory/conflicts')
    expect(body).toMatchObject({
      total: 1,
      conflicts: [
        {
          cert_num: '7712345678',
          lab: 'GIA',
          suppliers: 2,
          contradicts: ['weight', 'color'],
          stones: [
            { vendor_sku: 'A', supplier: 'One', weight: 1.01 },
            { vendor_sku: 'C', supplier: 'Two', weight: 1.11 },
          ],
        },
      ],
    })
    await upload(
      'supplier=Three',
      csvOf(stones(10, (stone, index) => (index === 4 ? { ...stone, perCarat: 4 } : stone))),
    )
    const quarantine = await asAdmin('GET', '/api/operator/inventory/quarantine')
    expect(quarantine.body.rows).toMatchObject([{ supplier: 'Three', vendor_sku: 'S-5', row: 6 }])
    expect(quarantine.body).toMatchObject({ total: 1, limit: 100, offset: 0 })
    const of = (list: string, supplier: string) =>
      asAdmin('GET', `/api/operator/inventory/${list}?supplier=${supplier}`)
    expect((await of('quarantine', 'three')).body.total).toBe(1)
    expect((await of('quarantine', 'nobody')).body).toMatchObject({ rows: [], total: 0 })
    expect((await of('conflicts', 'nobody')).body).toMatchObject({ conflicts: [], total: 0 })
    const [{ uuid }] = quarantine.body.rows
    const path = `/api/operator/inventory/quarantine/${uuid}`
    const released = await asAdmin('POST', `${path}/release`)
    expect(released).toMatchObject({
      status: 200,
      body: { uuid, decision: 'released', vendor_sku: 'S-5', sku: expect.any(String) },
    })
    const after = await asAdmin('GET', '/api/operator/inventory/quarantine')
    expect(after.body).toMatchObject({ rows: [], total: 0 })
    for (const verb of ['release', 'dismiss']) {
      expect(await asAdmin('POST', `${path}/${verb}`)).toMatchObject({
        status: 409,
        body: { code: 'wrong_state', detail: 'The row was already released.' },
      })
    }
    const unknown = path.replace(uuid, '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90')
    expect((await asAdmin('POST', `${unknown}/dismiss`)).status).toBe(404)
    const behind = await asAdmin('GET', '/api/operator/inventory/conflicts?offset=5')
    expect(behind.body).toMatchObject({ conflicts: [], total: 1, offset: 5 })
  })
})
