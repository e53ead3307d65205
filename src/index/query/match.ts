import type { Store } from '../store.ts'
import type { Predicate } from './predicates.ts'
import { listRows } from './workspace.ts'

/** The rows that meet all predicates; those of the base are marked in the workspace, until the next. */
export interface Match {
  store: Store
  predicates: readonly Predicate[]
  baseCount: number
  deltaRows: Uint32Array
  total: number
  /** The rows of the base, once they were listed. */
  listed?: Uint32Array
}

/** The matching rows of the base. A few are listed once for all who ask. */
export function baseRowsOf(found: Match): Uint32Array {
  if (found.listed) return found.listed
  const { workspace } = found.store
  const rows = listRows(workspace, workspace.target)
  if (found.baseCount > FEW) return rows
  found.listed = rows.slice()
  return found.listed
}

/** So few matches are looked at one by one. */
export const FEW = 4096
