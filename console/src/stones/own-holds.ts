import { useEffect } from 'preact/hooks'
import { listHolds } from '../api/holds.ts'
import { session } from '../api/session-store.ts'
import { createStore, useStore } from '../lib/store.ts'

/** When the merchant's own holds end, by SKU; undefined until they are read. */
const ownHolds = createStore<ReadonlyMap<string, string> | undefined>(undefined)
let isReading = false

/** Another person who signs in has other holds. */
session.subscribe(() => ownHolds.set(undefined))

/** Reads the holds again, after one was placed or released. */
export async function refreshOwnHolds(): Promise<void> {
  if (isReading) return
  isReading = true
  try {
    const { holds } = await listHolds()
    ownHolds.set(new Map(holds.map(({ sku, expires_on }) => [sku, expires_on])))
  } catch {
    // The page that asks for stones shows the same problem; a missing label does no harm.
  } finally {
    isReading = false
  }
}

/** The SKUs that the merchant holds itself, so that they are not shown as somebody else's. */
export function useOwnHolds(): ReadonlyMap<string, string> {
  const holds = useStore(ownHolds)
  useEffect(() => {
    if (!holds && session.get()?.role === 'merchant') void refreshOwnHolds()
  }, [holds])
  return holds ?? NONE
}

const NONE: ReadonlyMap<string, string> = new Map()
