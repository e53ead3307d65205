import { createOwnStore } from '../api/own-store.ts'

export const COMPARED_MAX = 4

/** The SKUs of the stones to compare, which belong to the person who chose them. */
export const compared = createOwnStore<string[]>('compare', [])

export function toggleCompared(sku: string): void {
  const chosen = compared.get()
  if (chosen.includes(sku)) compared.set(chosen.filter((each) => each !== sku))
  else if (chosen.length < COMPARED_MAX) compared.set([...chosen, sku])
}
