import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { createSupplier } from '../../api/operator/suppliers.ts'
import { t } from '../../language/language.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { go } from '../../lib/router.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'

/** Creates a supplier with what is needed first; its page has the rest. */
export function AddSupplierDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState({
    name: '',
    contact: '',
    country_code: '',
    currency_code: 'USD',
    markup: numberText(0),
    markup_us: numberText(0),
  })
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const supplier = await createSupplier({
        ...draft,
        name: draft.name.trim(),
        country_code: draft.country_code.trim().toUpperCase() || null,
        currency_code: draft.currency_code.trim().toUpperCase(),
        markup: numberIn(draft.markup),
        markup_us: numberIn(draft.markup_us),
      })
      showToast(t('{name} has been added.', { name: supplier.name }))
      go(`/operator/suppliers/${supplier.uuid}`)
    })
  }
  const field = (name: keyof typeof draft, label: string, isRequired = true) => (
    <TextField
      label={label}
      name={name}
      required={isRequired}
      problem={action.problem}
      value={draft[name]}
      onInput={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <Dialog title={t('Add supplier')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {field('name', t('Name'))}
        {field('contact', t('Contact'), false)}
        {field('country_code', t('Country, three letters'), false)}
        {field('currency_code', t('Currency of its prices'))}
        {field('markup', t('Markup in percent'))}
        {field('markup_us', t('Markup in percent, US price list'))}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {t('Add supplier')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
