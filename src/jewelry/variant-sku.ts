import { skuOf } from '../gems/gem.ts'

/**
 * The number of a supplier's variant, the same at every import. A gem's has ten characters and
 * this has eleven, so the two never meet although orders take both.
 */
export function variantSkuOf(supplierUuid: string, vendorSku: string, attempt = 0): string {
  return `J${skuOf(supplierUuid, vendorSku, attempt)}`
}
