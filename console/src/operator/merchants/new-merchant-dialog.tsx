import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { createMerchant } from '../../api/operator/merchants.ts'
import { t, tIn } from '../../language/language.ts'
import { go } from '../../lib/router.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'

/** Adds a merchant, and opens its page for everything else. */
export function MerchantDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState({
    legal_dba: '',
    email: '',
    country_code: 'US',
    currency_code: 'USD',
  })
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const merchant = await createMerchant(draft)
      showToast(t('{merchant} has been added.', { merchant: merchant.legal_dba }))
      go(`/operator/merchants/${merchant.uuid}`)
    })
  }
  const field = (name: keyof typeof draft, label: string, type = 'text') => (
    <TextField
      label={label}
      name={name}
      type={type}
      required
      problem={action.problem}
      value={draft[name]}
      onInput={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <Dialog title={t('Add merchant')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {field('legal_dba', t('Trading name'))}
        {field('email', t('Email'), 'email')}
        {field('country_code', t('Country (US has its own price list)'))}
        {field('currency_code', t('Currency'))}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {tIn('new', 'Add')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
