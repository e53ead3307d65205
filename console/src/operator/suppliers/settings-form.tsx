import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { changeSupplier, type Supplier } from '../../api/operator/suppliers.ts'
import { mayDo } from '../../api/session-store.ts'
import { refuseUnreadNumbers } from '../../api/unread-numbers.ts'
import { t } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/fields.tsx'
import { TextArea } from '../../parts/text-area.tsx'
import { showToast } from '../../parts/toast.tsx'
import {
  changeIn,
  type Draft,
  draftOf,
  type FlagName,
  type NumberName,
  type TextName,
  wrongJson,
} from './settings-draft.ts'

const GROUPS: { title: string; texts?: Fields<TextName>; numbers?: Fields<NumberName> }[] = [
  {
    title: t('Prices and stock'),
    texts: [
      ['contact', t('Contact')],
      ['country_code', t('Country, three letters')],
      ['currency_code', t('Currency of its prices')],
    ],
    numbers: [
      ['markup', t('Markup in percent')],
      ['markup_us', t('Markup in percent, US price list')],
      ['fresh_days', t('Days until stock without a new file leaves the market')],
    ],
  },
  {
    title: t('Delivery and returns'),
    numbers: [
      ['delivery_days_min', t('Fastest delivery in business days')],
      ['delivery_days_max', t('Slowest delivery in business days')],
      ['days_to_return', t('Days in which a merchant may return')],
      ['internal_days_to_return', t('Days in which you may return to the supplier')],
      ['memo_days_to_return', t('Days that a memo lasts')],
    ],
  },
]
type Fields<Name> = readonly (readonly [Name, string])[]

const FLAGS: Fields<FlagName> = [
  ['confirms', t('Confirms or declines each order line')],
  ['ships', t('Ships to merchants itself, and sees their addresses')],
  ['can_hold', t('Stones can be held, unless the file says otherwise')],
  ['memo', t('Stones can be taken on memo')],
  ['returnable', t('Stones may be returned')],
]

/** Everything about a supplier that the operator sets. Only what was changed is sent. */
export function SettingsForm(props: { supplier: Supplier; onSaved: () => void }) {
  const { supplier, onSaved } = props
  const [draft, setDraft] = useState(draftOf(supplier))
  const action = useAction()
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(supplier))
  useUnsaved(isChanged)
  const submit = (event: Event) => {
    event.preventDefault()
    if (wrongJson(draft.mapping) || wrongJson(draft.jewelry_mapping)) return
    void action.run(async () => {
      const change = changeIn(supplier, draft)
      refuseUnreadNumbers(change)
      const isRepricing = change.markup !== undefined || change.markup_us !== undefined
      if (isRepricing && !(await isRepricingMeant(supplier))) return
      const { changed } = await changeSupplier(supplier.uuid, change)
      const stones = plural(changed, 'stone')
      showToast(isRepricing ? t('Saved. Repriced: {stones}.', { stones }) : t('Saved.'))
      onSaved()
    })
  }
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change })
  return (
    <form onSubmit={submit}>
      <fieldset class="stack" disabled={!mayDo('inventory')}>
        <div class="columns">
          {GROUPS.map(({ title, texts = [], numbers = [] }) => (
            <section key={title} class="panel stack" aria-label={title}>
              <h2>{title}</h2>
              {[...texts, ...numbers].map(([name, label]) => (
                <TextField
                  key={name}
                  label={label}
                  name={name}
                  problem={action.problem}
                  value={draft[name]}
                  onInput={(value) => set({ [name]: value })}
                />
              ))}
            </section>
          ))}
          <Choices draft={draft} onChange={set} />
        </div>
        <Mappings supplier={supplier} draft={draft} onChange={set} />
        <ProblemNote problem={action.problem} />
        {mayDo('inventory') && (
          <div>
            <button type="submit" class="button is-main" disabled={action.busy || !isChanged}>
              {t('Save')}
            </button>
          </div>
        )}
      </fieldset>
    </form>
  )
}

function isRepricingMeant({ name }: Supplier): Promise<boolean> {
  return confirmed({
    title: t('Change the markup of {name}?', { name }),
    text: t('Every stone of the supplier has its new price at once, in search, baskets and shops.'),
    action: t('Change prices'),
  })
}

const STONE_TYPES = [
  ['', t('As the file says')],
  ['mined', t('Natural')],
  ['lab grown', t('Lab grown')],
  ['both', t('Both')],
] as const
const SI3_AS = [
  ['SI2', 'SI2'],
  ['I1', 'I1'],
] as const

function Choices(props: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const { draft, onChange } = props
  return (
    <section class="panel stack" aria-label={t('What is agreed')}>
      <h2>{t('What is agreed')}</h2>
      {FLAGS.map(([name, label]) => (
        <Checkbox
          key={name}
          checked={draft[name]}
          onChange={(on) => onChange({ [name]: on } as Partial<Draft>)}
        >
          {label}
        </Checkbox>
      ))}
      <SelectField
        label={t('Sells')}
        value={draft.stone_type}
        options={STONE_TYPES}
        onChange={(stone_type) => onChange({ stone_type })}
      />
      <SelectField
        label={t('SI3 is sold as')}
        value={draft.si3}
        options={SI3_AS}
        onChange={(si3) => onChange({ si3 })}
      />
    </section>
  )
}

/** How its files are read: what the operator set, and what was understood of the last one. */
function Mappings(props: {
  supplier: Supplier
  draft: Draft
  onChange: (change: Partial<Draft>) => void
}) {
  const { supplier, draft, onChange } = props
  const errorOf = (text: string) => (wrongJson(text) ? t('This is not JSON.') : undefined)
  return (
    <details class="panel">
      <summary>{t('How its files are read')}</summary>
      <div class="stack" style={{ marginTop: '14px' }}>
        <p class="muted small">
          {t('Columns and their fields as JSON; an empty field lets the import decide.')}
        </p>
        <TextArea
          label={t('Columns of files with stones')}
          isCode
          value={draft.mapping}
          error={errorOf(draft.mapping)}
          onInput={(mapping) => onChange({ mapping })}
        />
        <TextArea
          label={t('Columns of files with jewelry')}
          isCode
          value={draft.jewelry_mapping}
          error={errorOf(draft.jewelry_mapping)}
          onInput={(jewelry_mapping) => onChange({ jewelry_mapping })}
        />
        {supplier.reading && (
          <>
            <h3>{t('Understood of the last file')}</h3>
            <pre class="mono small json">{JSON.stringify(supplier.reading, null, 2)}</pre>
          </>
        )}
      </div>
    </details>
  )
}
