import {
  type ImportColumn,
  type ImportQuery,
  importSide,
  type JewelryImportQuery,
} from '../../api/imports.ts'
import { numberIn } from '../../lib/numbers.ts'
import type { Mapping } from '../column-table.tsx'

/** What is chosen for an import. Percentages are texts while somebody types. */
export interface ImportOptions {
  /** Only the operator names it. */
  supplier: string
  mode: ImportQuery['mode']
  maxRemoved: string
  maxJumps: string
  /** Empty: the file or what is remembered of the supplier decides. */
  price: '' | 'total' | 'per-carat'
  acceptPrices: boolean
  relearn: boolean
  /** Empty: that of the supplier. */
  currency: string
  /** Empty: all sheets that have stones. */
  sheet: string
  /** Of jewelry; empty: the general one. */
  catalogue: string
  /** A mapping that was chosen as a file. */
  mapping: Record<string, unknown>
}

export interface FormProps {
  kind: 'stones' | 'jewelry'
  options: ImportOptions
  busy: boolean
  /** The code of the last refusal: the option that settles it is then shown. */
  problem: string | undefined
  submitLabel: string
  onChange: (options: ImportOptions) => void
  onSubmit: () => void
}

export const NEW_IMPORT: ImportOptions = {
  supplier: '',
  mode: 'update',
  maxRemoved: '40',
  maxJumps: '5',
  price: '',
  acceptPrices: false,
  relearn: false,
  currency: '',
  sheet: '',
  catalogue: '',
  mapping: {},
}

/** What imports of stones and of jewelry are told alike. */
function commonQuery(file: File, options: ImportOptions, own: Record<string, unknown>) {
  const mapping = { ...options.mapping, ...own }
  const currency = options.currency.trim().toUpperCase()
  return {
    mode: options.mode,
    max_removed: numberIn(options.maxRemoved) || 0,
    max_jumps: numberIn(options.maxJumps) || 0,
    file_name: file.name,
    ...(currency !== '' && { currency }),
    ...(Object.keys(mapping).length > 0 && { mapping: JSON.stringify(mapping) }),
  }
}

export function importQuery(
  file: File,
  options: ImportOptions,
  own: Record<string, unknown>,
  dry_run: boolean,
): ImportQuery {
  return {
    ...commonQuery(file, options, own),
    ...(importSide() === 'operator' && { supplier: options.supplier }),
    dry_run,
    accept_prices: options.acceptPrices,
    relearn: options.relearn,
    ...(options.price !== '' && { price: options.price }),
    ...(options.sheet.trim() !== '' && { sheet: options.sheet.trim() }),
  }
}

export function jewelryQuery(
  file: File,
  options: ImportOptions,
  own: Record<string, unknown>,
  dry_run: boolean,
): JewelryImportQuery {
  return {
    ...commonQuery(file, options, own),
    supplier: options.supplier,
    dry_run,
    ...(options.catalogue !== '' && { catalogue: options.catalogue }),
  }
}

/**
 * The corrections together with what is remembered for the supplier, which they would replace:
 * constants, and the entries of columns that the file has and that were not corrected.
 */
export function withSaved(
  mapping: Mapping,
  saved: Record<string, unknown>,
  columns: readonly ImportColumn[],
): Record<string, unknown> {
  const names = columns.filter(({ constant }) => constant === undefined).map((each) => each.column)
  const kept = Object.entries(saved).filter(([key, entry]) => {
    const isConstant = typeof entry === 'object' && entry !== null && 'value' in entry
    const name = names.includes(key) ? key : names[Number(key) - 1]
    return isConstant || (name !== undefined && !Object.hasOwn(mapping, name))
  })
  return { ...Object.fromEntries(kept), ...mapping }
}
