import { t } from '../../language/language.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'
import { SelectField } from '../../parts/fields.tsx'

/** Shows one merchant's part of a list; the choice is in the address. */
export function MerchantSelect({ names }: { names: ReadonlyMap<string, string> | undefined }) {
  const chosen = useLocation().params.get('merchant') ?? ''
  const all = [...(names ?? [])]
  const unknown = chosen !== '' && !names?.has(chosen) ? [[chosen, chosen] as const] : []
  return (
    <SelectField
      label={t('Merchant')}
      hideLabel
      value={chosen}
      options={[['', t('All merchants')], ...all, ...unknown]}
      onChange={(merchant) => go(withParams({ merchant, offset: undefined }))}
    />
  )
}
