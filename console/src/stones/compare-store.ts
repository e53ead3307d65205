import { createPersistentStore } from '../lib/store.ts'

export const COMPARED_MAX = 4

/** The SKUs of the stones to compare; kept for this tab. */
export const compared = createPersistentStore<string[]>(
  window.sessionStorage,
  'pavilion-compare',
  [],
)

export function toggleCompared(sku: string): void {
  const chosen = compared.get()
  if (chosen.includes(sku)) compared.set(chosen.filter((each) => each !== sku))
  else if (chosen.length < COMPARED_MAX) compared.set([...chosen, sku])
}
