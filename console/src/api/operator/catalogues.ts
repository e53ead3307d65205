import type { Static } from 'typebox'
import type { pageOf } from '../../../../src/http/schemas/page.ts'
import type { VariantSchema } from '../../../../src/http/schemas/product.ts'
import type {
  CatalogueBody,
  CataloguePatch,
  CatalogueProductsBody,
  CatalogueSchema,
} from '../../../../src/http/schemas/product-operator.ts'
import { call, newIdempotencyKey, readAll } from '../client.ts'

export type Catalogue = Static<typeof CatalogueSchema>

export function listCatalogues(signal?: AbortSignal): Promise<Catalogue[]> {
  return readAll('/api/operator/catalogues', 'catalogues', { signal })
}

export function readCatalogue(uuid: string, signal?: AbortSignal): Promise<Catalogue> {
  return call('GET', '/api/operator/catalogues/{uuid}', { path: { uuid }, signal })
}

export function createCatalogue(body: Static<typeof CatalogueBody>): Promise<Catalogue> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/catalogues', { body, idempotencyKey })
}

export function changeCatalogue(
  uuid: string,
  body: Static<typeof CataloguePatch>,
): Promise<Catalogue> {
  return call('PATCH', '/api/operator/catalogues/{uuid}', { path: { uuid }, body })
}

export function changeProducts(
  uuid: string,
  body: Static<typeof CatalogueProductsBody>,
): Promise<Catalogue> {
  const idempotencyKey = newIdempotencyKey()
  const path = { uuid }
  return call('POST', '/api/operator/catalogues/{uuid}/products', { path, body, idempotencyKey })
}

export function shareCatalogue(uuid: string, merchant_uuid: string): Promise<Catalogue> {
  const path = { uuid, merchant_uuid }
  return call('PUT', '/api/operator/catalogues/{uuid}/merchants/{merchant_uuid}', { path })
}

export function unshareCatalogue(uuid: string, merchant_uuid: string): Promise<Catalogue> {
  const path = { uuid, merchant_uuid }
  return call('DELETE', '/api/operator/catalogues/{uuid}/merchants/{merchant_uuid}', { path })
}

type VariantPage = Static<ReturnType<typeof pageOf<'variants', typeof VariantSchema>>>

const VARIANTS_MAX = 500

/** The products of all catalogues that have these words in them or among their variants. */
export async function findProducts(q: string, signal?: AbortSignal): Promise<string[]> {
  const body = { q, limit: VARIANTS_MAX, include: ['details'], include_unavailable: true }
  const path = '/api/v3/product_variants/jewelry/query'
  const { variants } = await call<VariantPage>('POST', path, { body, signal })
  return [...new Set(variants.flatMap(({ product_id }) => product_id ?? []))]
}
