import { useRead } from '../../api/hooks.ts'
import { importSide, listSuppliers } from '../../api/imports.ts'
import { listCatalogues } from '../../api/operator/catalogues.ts'
import { t } from '../../language/language.ts'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { MoreOptions } from './more.tsx'
import type { FormProps } from './options.ts'
import { SettlingFields } from './settling.tsx'

/** How a file is imported: its supplier, and what decides a refusal. */
export function OptionsForm(props: FormProps) {
  const { kind, options, onChange } = props
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
        label={t('Mode')}
        value={options.mode}
        options={[
          ['update', t('Update: add and change')],
          ['replace', t('Replace: also remove what is missing')],
        ]}
        onChange={(mode) => onChange({ ...options, mode })}
      />
      {options.mode === 'replace' && (
        <TextField
          label={t('Refuse if more than this % would be removed')}
          inputMode="decimal"
          value={options.maxRemoved}
          onInput={(maxRemoved) => onChange({ ...options, maxRemoved })}
        />
      )}
      {kind === 'jewelry' && <CatalogueField {...props} />}
      {kind === 'stones' && <SettlingFields {...props} />}
      <MoreOptions {...props} />
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
      <span>{t('Supplier (a new name creates one)')}</span>
      <input
        class="input"
        list="suppliers"
        required
        value={options.supplier}
        onInput={(event) => onChange({ ...options, supplier: event.currentTarget.value })}
      />
      <datalist id="suppliers">
        {suppliers.value?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  )
}

function CatalogueField({ options, onChange }: FormProps) {
  const catalogues = useRead('catalogues', (signal) => listCatalogues(signal))
  const names = catalogues.value?.map(({ name }) => [name, name] as const) ?? []
  return (
    <SelectField
      label={t('Catalogue of new products')}
      value={options.catalogue}
      options={[['', t('The general one')], ...names]}
      onChange={(catalogue) => onChange({ ...options, catalogue })}
    />
  )
}
