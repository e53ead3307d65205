import { useRead } from '../api/hooks.ts'
import { type ImportColumn, type ImportQuery, importSide, listSuppliers } from '../api/imports.ts'
import { numberIn } from '../lib/numbers.ts'
import { Checkbox, SelectField, TextField } from '../parts/fields.tsx'
import type { Mapping } from './column-table.tsx'

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
}

export const NEW_IMPORT: ImportOptions = {
  supplier: '',
  mode: 'update',
  maxRemoved: '40',
  maxJumps: '5',
  price: '',
  acceptPrices: false,
  relearn: false,
}

export function importQuery(
  file: File,
  options: ImportOptions,
  mapping: Record<string, unknown>,
  dry_run: boolean,
): ImportQuery {
  const isMapped = Object.keys(mapping).length > 0
  return {
    ...(importSide() === 'operator' && { supplier: options.supplier }),
    mode: options.mode,
    dry_run,
    max_removed: numberIn(options.maxRemoved) || 0,
    max_jumps: numberIn(options.maxJumps) || 0,
    accept_prices: options.acceptPrices,
    relearn: options.relearn,
    file_name: file.name,
    ...(options.price !== '' && { price: options.price }),
    ...(isMapped && { mapping: JSON.stringify(mapping) }),
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

interface FormProps {
  options: ImportOptions
  busy: boolean
  /** The code of the last refusal: the option that settles it is then shown. */
  problem: string | undefined
  submitLabel: string
  onChange: (options: ImportOptions) => void
  onSubmit: () => void
}

export function OptionsForm(props: FormProps) {
  const { options, onChange } = props
  const isOperator = importSide() === 'operator'
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit()
      }}
    >
      {isOperator && <SupplierField {...props} />}
      <SelectField
        label="Mode"
        value={options.mode}
        options={[
          ['update', 'Update: add and change stones'],
          ['replace', 'Replace: also remove missing stones'],
        ]}
        onChange={(mode) => onChange({ ...options, mode })}
      />
      {options.mode === 'replace' && (
        <TextField
          label="Refuse if more than this % would be removed"
          inputMode="decimal"
          value={options.maxRemoved}
          onInput={(maxRemoved) => onChange({ ...options, maxRemoved })}
        />
      )}
      <SettlingFields {...props} />
      <button
        type="submit"
        class="button is-main"
        disabled={props.busy || (isOperator && options.supplier === '')}
      >
        {props.submitLabel}
      </button>
    </form>
  )
}

function SupplierField({ options, onChange }: FormProps) {
  const suppliers = useRead('suppliers', (signal) => listSuppliers(signal))
  return (
    <label class="field">
      <span>Supplier (a new name creates one)</span>
      <input
        class="input"
        list="suppliers"
        required
        value={options.supplier}
        onInput={(event) => onChange({ ...options, supplier: event.currentTarget.value })}
      />
      <datalist id="suppliers">
        {suppliers.value?.suppliers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  )
}

/** What settles a refused file; each field appears with its refusal and stays while it is set. */
function SettlingFields({ options, problem, onChange }: FormProps) {
  return (
    <>
      {(problem === 'import_unsure' || options.price !== '') && (
        <SelectField
          label="The price column holds"
          value={options.price}
          options={[
            ['', 'What the file says'],
            ['per-carat', 'Prices per carat'],
            ['total', 'Prices of whole stones'],
          ]}
          onChange={(price) => onChange({ ...options, price })}
        />
      )}
      {(problem === 'too_many_jumps' || options.maxJumps !== NEW_IMPORT.maxJumps) && (
        <TextField
          label="Refuse if more than this % of prices change by 20 % or more"
          inputMode="decimal"
          value={options.maxJumps}
          onInput={(maxJumps) => onChange({ ...options, maxJumps })}
        />
      )}
      {(problem === 'wrong_price_level' || options.acceptPrices) && (
        <Checkbox
          checked={options.acceptPrices}
          onChange={(acceptPrices) => onChange({ ...options, acceptPrices })}
        >
          The prices are right
        </Checkbox>
      )}
      {(problem === 'reading_changed' || options.relearn) && (
        <Checkbox
          checked={options.relearn}
          onChange={(relearn) => onChange({ ...options, relearn })}
        >
          Read this supplier's files like this one from now on
        </Checkbox>
      )}
    </>
  )
}
