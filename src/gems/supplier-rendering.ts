import { isoOrNull, isoWithOffset } from '../lib/timestamps.ts'
import type { Supplier } from './supplier.ts'

/** A supplier as the operator sees it, by HTTP and on the command line. */
export function renderSupplier({ id: _, ...supplier }: Supplier) {
  return {
    ...supplier,
    markup: Number(supplier.markup),
    markup_us: Number(supplier.markup_us),
    synced_on: isoOrNull(supplier.synced_on),
    created_on: isoWithOffset(supplier.created_on),
    updated_on: isoWithOffset(supplier.updated_on),
  }
}
