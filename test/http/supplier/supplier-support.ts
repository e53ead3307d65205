import type { SupplierSettings } from '../../../src/gems/supplier.ts'
import { createSupplier } from '../../../src/gems/supplier-store.ts'
import { SUPPLIER_SCOPES } from '../../../src/reference/roles.ts'
import type { TestMarket } from '../../support/market.ts'

export interface TestSupplier {
  id: number
  uuid: string
  name: string
  key: string
  call(method: string, path: string, body?: object): ReturnType<TestMarket['call']>
  upload(
    query: string,
    file: string,
    headers?: Record<string, string>,
  ): ReturnType<TestMarket['call']>
}

/** Creates a supplier with a key, and ways to call its interface. */
export async function openSupplier(
  market: TestMarket,
  name: string,
  settings: SupplierSettings = {},
): Promise<TestSupplier> {
  const { id, uuid } = await createSupplier(market.database.db, name, settings)
  const { token: key } = await market.token({
    type: 'supplier',
    supplier_uuid: uuid,
    scopes: SUPPLIER_SCOPES,
  })
  return {
    id,
    uuid,
    name,
    key,
    call: (method, path, body) =>
      market.call(method, `/api/supplier${path}`, { token: key, ...(body && { body }) }),
    async upload(query, file, headers = {}) {
      const response = await market.app.inject({
        method: 'POST',
        url: `/api/supplier/imports?${query}`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', ...headers },
        payload: file,
      })
      return {
        status: response.statusCode,
        headers: response.headers as Record<string, string | undefined>,
        text: response.body,
        body: response.json(),
      }
    },
  }
}
