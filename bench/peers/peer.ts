import type { LoadOptions } from '../support/load.ts'
import type { Product } from './products.ts'

/** What every side is asked to do. */
export interface Market {
  stones: readonly Product[]
  parcels: readonly Product[]
}

type Search = Pick<LoadOptions, 'method' | 'path' | 'headers' | 'bodies'>

/** A running server with the products of the market. */
export interface Peer {
  version: string
  port: number
  /** From the start of the import until a search finds every product. */
  importSeconds: number
  searches: { byShapeAndColor: Search; byCertificate: Search; first: Search }
  /**
   * Prepares an order of one product up to its last step. The returned function takes that step,
   * and says whether the product was ordered.
   */
  prepareOrder(sku: string): Promise<() => Promise<boolean>>
  close(): Promise<void>
}

export const PAGE = 50
export const SEARCHED = { shape: 'round', colors: ['D', 'E', 'F'] }
/** Certificates that are searched in turn. */
export function certificatesOf({ stones }: Market): string[] {
  return stones.filter((_, index) => index % 17 === 0).map(({ certificate }) => certificate)
}

interface Call {
  port: number
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** A call of which the JSON is returned, whatever its status. */
export async function call<Body>({ port, path, body, headers }: Call) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Body
  return { status: response.status, headers: response.headers, body: answer }
}

/** Asks every 100 ms until the number is reached, and returns the seconds since the start. */
export async function secondsUntil(
  startMs: number,
  wanted: number,
  count: () => Promise<number | undefined>,
): Promise<number> {
  while (((await count()) ?? 0) < wanted) {
    if (performance.now() - startMs > LONGEST_MS) throw new Error('not all products are found')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return (performance.now() - startMs) / 1000
}

const LONGEST_MS = 3_600_000
