import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { changeMarketSettings, type MarketSettings } from '../../api/operator/seller.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { TextArea } from '../../parts/text-area.tsx'
import { showToast } from '../../parts/toast.tsx'
import { LogoField } from './logo-field.tsx'

const LINES = [
  ['seller.name', t('Name of the seller')],
  ['seller.tax_number', t('Tax number')],
] as const
const TEXTS = [
  ['seller.address', t('Address'), 4],
  ['seller.bank', t('Bank account for payments'), 4],
  ['document.invoice_note', t('Text at the end of invoices'), 3],
  ['document.memo_terms', t('Terms on memos, in place of the usual ones'), 6],
] as const
const PAPERS = [
  ['a4', 'A4'],
  ['letter', 'Letter'],
] as const
type Paper = (typeof PAPERS)[number][0]

/** The seller's name, address and bank as documents show them; earlier documents never change. */
export function SellerForm(props: { settings: MarketSettings; onSaved: () => void }) {
  const { settings, onSaved } = props
  const [draft, setDraft] = useState(settings)
  const action = useAction()
  const changed = Object.entries(draft).filter(([name, value]) => value !== settings[name])
  useUnsaved(changed.length > 0)
  const set = (name: string, value: string | null) => setDraft({ ...draft, [name]: value || null })
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await changeMarketSettings(Object.fromEntries(changed))
      showToast(t('Saved. New documents show it.'))
      onSaved()
    })
  }
  return (
    <form class="panel stack" aria-label={t('On documents')} onSubmit={submit}>
      <h2>{t('On documents')}</h2>
      <fieldset class="columns" disabled={!mayDo('settings:write')}>
        <div class="stack">
          {LINES.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              name={name}
              problem={action.problem}
              value={draft[name] ?? ''}
              onInput={(value) => set(name, value)}
            />
          ))}
          <LogoField logo={draft['seller.logo']} onChange={(logo) => set('seller.logo', logo)} />
          <SelectField<Paper>
            label={t('Paper')}
            value={draft['document.paper'] === 'letter' ? 'letter' : 'a4'}
            options={PAPERS}
            onChange={(paper) => set('document.paper', paper)}
          />
        </div>
        <div class="stack">
          {TEXTS.map(([name, label, rows]) => (
            <TextArea
              key={name}
              label={label}
              name={name}
              problem={action.problem}
              rows={rows}
              value={draft[name] ?? ''}
              onInput={(value) => set(name, value)}
            />
          ))}
        </div>
      </fieldset>
      <ProblemNote problem={action.problem} />
      {mayDo('settings:write') && (
        <div>
          <button
            type="submit"
            class="button is-main"
            disabled={action.busy || changed.length === 0}
          >
            {t('Save')}
          </button>
        </div>
      )}
    </form>
  )
}
