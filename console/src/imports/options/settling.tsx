import { t } from '../../language/language.ts'
import { Checkbox, SelectField, TextField } from '../../parts/fields.tsx'
import { type FormProps, NEW_IMPORT } from './options.ts'

/** What settles a refused file; each field appears with its refusal and stays while it is set. */
export function SettlingFields({ options, problem, onChange }: FormProps) {
  return (
    <>
      {(problem === 'import_unsure' || options.price !== '') && (
        <SelectField
          label={t('The price column holds')}
          value={options.price}
          options={[
            ['', t('What the file says')],
            ['per-carat', t('Prices per carat')],
            ['total', t('Prices of whole stones')],
          ]}
          onChange={(price) => onChange({ ...options, price })}
        />
      )}
      {(problem === 'too_many_jumps' || options.maxJumps !== NEW_IMPORT.maxJumps) && (
        <TextField
          label={t('Refuse if more than this % of prices change by 20 % or more')}
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
          {t('The prices are right')}
        </Checkbox>
      )}
      {(problem === 'reading_changed' || options.relearn) && (
        <Checkbox
          checked={options.relearn}
          onChange={(relearn) => onChange({ ...options, relearn })}
        >
          {t("Read this supplier's files like this one from now on")}
        </Checkbox>
      )}
    </>
  )
}
