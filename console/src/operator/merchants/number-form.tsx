import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { mayDo } from '../../api/session-store.ts'
import { refuseUnreadNumbers } from '../../api/unread-numbers.ts'
import { t } from '../../language/language.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'

interface NumberField<Name extends string> {
  name: Name
  label: string
  value: number | null
  placeholder?: string
}

type Changed<Name extends string> = Partial<Record<Name, number | null>>

/** A form of numbers; an empty field means null. Only what was changed is saved. */
export function NumberForm<Name extends string>(props: {
  title: string
  note?: string
  /** What the server calls the group of the fields, for its messages. */
  group?: string
  fields: readonly NumberField<Name>[]
  action: string
  /** Resolves to false when it was not meant. */
  save: (changed: Changed<Name>) => Promise<unknown>
  onSaved: () => void
}) {
  const { title, note, group, fields } = props
  const [draft, setDraft] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map(({ name, value }) => [name, numberText(value)])),
  )
  const action = useAction()
  const changed = fields.filter(({ name, value }) => draft[name] !== numberText(value))
  useUnsaved(changed.length > 0)
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const read = (text: string) => (text.trim() === '' ? null : numberIn(text))
      const numbers = Object.fromEntries(changed.map(({ name }) => [name, read(draft[name])]))
      // Before `save` asks whether the change is meant.
      refuseUnreadNumbers(group ? { [group]: numbers } : numbers)
      const saved = changed.length > 0 ? await props.save(numbers as Changed<Name>) : undefined
      if (saved === false) return
      showToast(t('Saved.'))
      props.onSaved()
    })
  }
  return (
    <section class="panel stack" aria-label={title}>
      <h2>{title}</h2>
      {note && <p class="muted">{note}</p>}
      <form onSubmit={submit}>
        <fieldset class="stack" disabled={!mayDo('merchants:write')}>
          {fields.map(({ name, label, placeholder }) => (
            <TextField
              key={name}
              label={label}
              name={group ? `${group}.${name}` : name}
              inputMode="decimal"
              {...(placeholder !== undefined && { placeholder })}
              problem={action.problem}
              value={draft[name]}
              onInput={(value) => setDraft({ ...draft, [name]: value })}
            />
          ))}
          <ProblemNote problem={action.problem} />
          {mayDo('merchants:write') && (
            <div>
              <button type="submit" class="button" disabled={action.busy}>
                {props.action}
              </button>
            </div>
          )}
        </fieldset>
      </form>
    </section>
  )
}
