import { extractText, getDocumentProxy } from 'unpdf'
import { expect } from 'vitest'
import type { TestMarket } from '../../support/market.ts'

interface Downloaded {
  status: number
  headers: Record<string, unknown>
  bytes: Buffer
}

/** Downloads a document as it is sent; `call` of the market reads responses as text. */
export async function download(
  market: Pick<TestMarket, 'app'>,
  path: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<Downloaded> {
  const response = await market.app.inject({
    method: 'GET',
    url: path,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: response.rawPayload,
  }
}

/** The text of each page, with single spaces. */
export async function textOf(bytes: Buffer): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(pdf, { mergePages: false })
  return text.map((page) => page.replaceAll(/\s+/g, ' '))
}

export interface ListedDocument {
  kind: string
  number: string
  url: string
  created_on: string
}

/** The documents of an order, as the merchant sees them. */
export async function documentsOf(
  market: TestMarket,
  uuid: string,
  token: string,
): Promise<ListedDocument[]> {
  const { status, body } = await market.call('GET', `/api/v3/orders/${uuid}`, { token })
  expect(status).toBe(200)
  return body.documents
}

/** Downloads a document of an order by its address, and returns the text of its pages. */
export async function pagesOf(
  market: TestMarket,
  uuid: string,
  kind: string,
  token: string,
): Promise<string[]> {
  const found = (await documentsOf(market, uuid, token)).filter((each) => each.kind === kind).at(-1)
  const { status, bytes } = await download(market, new URL(found?.url ?? '').pathname, token)
  expect(status).toBe(200)
  return textOf(bytes)
}

export const TRACKING = { tracking_company: 'Facet Express', tracking_number: 'FX-2201' }

/** Takes a step of the operator's, which must succeed. */
export async function step(market: TestMarket, uuid: string, name: string, body: object = {}) {
  const path = `/api/operator/orders/${uuid}/${name}`
  const response = await market.call('POST', path, { token: market.adminKey, body })
  expect(response.status, response.text).toBe(200)
  return response.body
}

export function setSettings(market: TestMarket, body: Record<string, string | null>) {
  return market.call('PATCH', '/api/operator/settings', { token: market.adminKey, body })
}
