import { useState } from 'preact/hooks'
import type { Filters } from '../../api/gems.ts'
import { useAction } from '../../api/hooks.ts'
import { mayDo } from '../../api/session-store.ts'
import { t, tIn } from '../../language/language.ts'
import { isCustomerView } from '../../lib/customer-view.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'
import { filterTexts } from './filters.ts'
import { type Alert, type SavedSearch, saveSearch } from './requests.ts'

/** When to tell of stones that start to match. */
export const ALERTS: readonly (readonly [Alert, string])[] = [
  ['off', tIn('alert', 'Off')],
  ['instant', t('Within a minute')],
  ['daily', t('Once a day')],
]

interface Unsaved {
  kind: SavedSearch['kind']
  filters: Filters
}

/** Saves the search on the page, to run it again or to be told of stones. */
export function SaveSearchButton(search: Unsaved) {
  const [isOpen, setOpen] = useState(false)
  if (isCustomerView || !mayDo('orders:write')) return null
  return (
    <>
      <button
        type="button"
        class="button is-small"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('Save this search')}
      </button>
      {isOpen && <SaveDialog {...search} onClose={() => setOpen(false)} />}
    </>
  )
}

function SaveDialog({ kind, filters, onClose }: Unsaved & { onClose: () => void }) {
  const texts = filterTexts({ kind, filters, max_retail_price: null })
  const [name, setName] = useState('')
  const [alert, setAlert] = useState<Alert>('off')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const saved = await saveSearch({ name: name.trim(), kind, filters, alert })
      showToast(t('“{name}” is among your saved searches.', { name: saved.name }))
      onClose()
    })
  }
  return (
    <Dialog title={t('Save this search')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">{texts.join(' · ')}</p>
        <TextField
          label={t('Name')}
          name="name"
          required
          placeholder={t('Ring for an anniversary')}
          value={name}
          onInput={setName}
          problem={action.problem}
        />
        <SelectField
          label={t('Tell me of new stones')}
          value={alert}
          options={ALERTS}
          onChange={setAlert}
        />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy || name.trim() === ''}>
            {t('Save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
