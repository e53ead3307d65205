import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { changeStone, type StockStone } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { fieldLabel } from '../../lib/field-name.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'
import { OVERRIDES, type OverrideField, typedFrom, valueFrom } from './override-fields.ts'
import { shownValue } from './values.ts'

interface Props {
  stone: StockStone
  field: OverrideField
  onClose: () => void
  onDone: () => void
}

/** Sets one field of a stone by hand, with the reason as its note. */
export function OverrideDialog({ stone, field, onClose, onDone }: Props) {
  const kind = OVERRIDES[field]
  const [typed, setTyped] = useState(typedFrom(kind, stone[field]))
  const [note, setNote] = useState(stone.note ?? '')
  const action = useAction()
  const value = valueFrom(kind, typed)
  const name = fieldLabel(field)
  const isSet = Object.hasOwn(stone.overrides, field)
  const fed = shownValue(field, isSet ? stone.feed_values[field] : stone[field])
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await changeStone(String(stone.sku), { [field]: value, note: note.trim() || null })
      showToast(t('{name} is set by hand now.', { name }))
      onDone()
    })
  }
  return (
    <Dialog title={t('Set {name}', { name })} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted small">{t('Feed: {value}', { value: fed })}</p>
        {kind === 'flag' ? (
          <SelectField
            label={name}
            value={typed}
            options={[
              ['yes', t('yes')],
              ['no', t('no')],
            ]}
            onChange={setTyped}
          />
        ) : (
          <TextField
            label={labelOf(name, kind)}
            name={field}
            problem={action.problem}
            value={typed}
            onInput={setTyped}
            {...((kind === 'price' || kind === 'tolerance') && { inputMode: 'decimal' as const })}
          />
        )}
        <NoteField note={note} onInput={setNote} />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button
            type="submit"
            class="button is-main"
            disabled={action.busy || value === undefined}
          >
            {t('Set')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function labelOf(name: string, kind: string): string {
  if (kind === 'price') return t('{name} (US dollars)', { name })
  if (kind === 'address') return t('{name} (empty: none)', { name })
  if (kind === 'object') return t('{name} (JSON)', { name })
  return name
}

/** The reason of what is done by hand; a stone has one note, which shows beside its state. */
export function NoteField({ note, onInput }: { note: string; onInput: (note: string) => void }) {
  return (
    <label class="field">
      <span>{t('Reason (the note of the stone)')}</span>
      <textarea
        class="input"
        rows={2}
        maxLength={2000}
        value={note}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
