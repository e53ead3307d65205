import { importSide, listSuppliers } from '../api/imports.ts'

/** The mapping that is remembered for a supplier, which only the operator can read. */
export async function savedMapping(
  supplier: string,
  kind: 'mapping' | 'jewelry_mapping',
): Promise<Record<string, unknown>> {
  if (importSide() === 'supplier') return {}
  const suppliers = await listSuppliers()
  const wanted = supplier.trim().toLowerCase()
  return suppliers.find(({ name }) => name.toLowerCase() === wanted)?.[kind] ?? {}
}
