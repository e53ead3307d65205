import { useRead } from '../../api/hooks.ts'
import { listSuppliers } from '../../api/imports.ts'
import { t } from '../../language/language.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'
import { SelectField } from '../../parts/fields.tsx'

/** Shows a list for one supplier only; the choice is in the address. */
export function SupplierFilter() {
  const supplier = useLocation().params.get('supplier') ?? ''
  const suppliers = useRead('suppliers', (signal) => listSuppliers(signal))
  const names = suppliers.value?.map(({ name }) => name) ?? []
  // An address may name a supplier that the list does not have, or not yet.
  const known = names.includes(supplier) || supplier === '' ? names : [supplier, ...names]
  return (
    <SelectField
      label={t('Supplier')}
      hideLabel
      value={supplier}
      options={[['', t('All suppliers')], ...known.map((name) => [name, name] as const)]}
      onChange={(name) => go(withParams({ supplier: name, offset: undefined }))}
    />
  )
}
