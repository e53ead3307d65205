import { useState } from 'preact/hooks'
import { CLARITIES, COLORS } from '../../../src/reference/attributes.ts'
import { useAction, useRead } from '../api/hooks.ts'
import {
  addTemplate,
  listTemplates,
  type NewTemplate,
  removeTemplate,
  type Template,
} from '../api/settings.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { showToast } from '../parts/toast.tsx'
import { SettingsHead } from './head.tsx'

const GRADES = [
  ['ideal', 'Ideal'],
  ['excellent', 'Excellent'],
  ['very good', 'Very good'],
] as const
const asOptions = (values: readonly string[]) => values.map((value) => [value, value] as const)
const BLANK: NewTemplate = {
  group: '',
  label: '',
  color: 'G',
  clarity: 'VS2',
  grade_name: 'excellent',
}

/** The templates of the curated search. */
export function TemplatesPage() {
  const reading = useRead('templates', (signal) => listTemplates(signal))
  const action = useAction()
  const remove = ({ uuid, label, group }: Template) =>
    action.run(async () => {
      const title = `Remove the template ${label}?`
      const text = `Curated searches of ${group} no longer look for a stone of this grade.`
      if (!(await confirmed({ title, text, action: 'Remove', isDanger: true }))) return
      await removeTemplate(uuid)
      reading.reload()
    })
  return (
    <>
      <SettingsHead />
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && (
        <ScrollArea label="Templates">
          <table>
            <thead>
              <tr>
                <th scope="col">Group</th>
                <th scope="col">Label</th>
                <th scope="col">Color</th>
                <th scope="col">Clarity</th>
                <th scope="col">Make</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {reading.value.merchant_templates.map((template) => (
                <tr key={template.uuid}>
                  <td>{template.group}</td>
                  <td>
                    {template.position}. {template.label}
                  </td>
                  <td>{template.color} or better</td>
                  <td>{template.clarity} or better</td>
                  <td>{template.grade_name}</td>
                  <td>
                    {template.merchant_uuid === null ? (
                      <span class="tag">Predefined</span>
                    ) : (
                      <button
                        type="button"
                        class="button is-small is-quiet"
                        onClick={() => void remove(template)}
                      >
                        Remove<span class="visually-hidden"> {template.label}</span>
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
      <NewTemplateForm onDone={reading.reload} />
    </>
  )
}

function NewTemplateForm({ onDone }: { onDone: () => void }) {
  const [draft, setDraft] = useState(BLANK)
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await addTemplate(draft)
      showToast(`Template ${draft.label} has been added.`)
      setDraft({ ...BLANK, group: draft.group })
      onDone()
    })
  }
  const set = (field: keyof NewTemplate) => (value: string) =>
    setDraft({ ...draft, [field]: value })
  return (
    <section class="panel stack">
      <h2>Add template</h2>
      <form class="form" onSubmit={submit}>
        <TextField label="Group" required value={draft.group} onInput={set('group')} />
        <TextField label="Label" required value={draft.label} onInput={set('label')} />
        <SelectField<string>
          label="Minimum color"
          value={draft.color}
          options={asOptions(COLORS)}
          onChange={set('color')}
        />
        <SelectField<string>
          label="Minimum clarity"
          value={draft.clarity}
          options={asOptions(CLARITIES)}
          onChange={set('clarity')}
        />
        <SelectField<string>
          label="Make"
          value={draft.grade_name}
          options={GRADES}
          onChange={set('grade_name')}
        />
        <button type="submit" class="button is-main" disabled={action.busy}>
          Add
        </button>
      </form>
      <ProblemNote problem={action.problem} />
    </section>
  )
}
