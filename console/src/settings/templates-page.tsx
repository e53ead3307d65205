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
import { t, tIn } from '../language/language.ts'
import { capitalize, humanize } from '../lib/format.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { showToast } from '../parts/toast.tsx'
import { SettingsHead } from './head.tsx'

const GRADES = [
  ['ideal', capitalize(humanize('ideal'))],
  ['excellent', capitalize(humanize('excellent'))],
  ['very good', capitalize(humanize('very good'))],
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
      const title = t('Remove the template {label}?', { label })
      const text = t('Curated searches of {group} no longer look for a stone of this grade.', {
        group,
      })
      if (!(await confirmed({ title, text, action: t('Remove'), isDanger: true }))) return
      await removeTemplate(uuid)
      reading.reload()
    })
  return (
    <>
      <SettingsHead />
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && (
        <ScrollArea label={t('Templates')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Group')}</th>
                <th scope="col">{t('Label')}</th>
                <th scope="col">{t('Color')}</th>
                <th scope="col">{t('Clarity')}</th>
                <th scope="col">{t('Make')}</th>
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
                  <td>{t('{grade} or better', { grade: template.color })}</td>
                  <td>{t('{grade} or better', { grade: template.clarity })}</td>
                  <td>{humanize(template.grade_name)}</td>
                  <td>
                    {template.merchant_uuid === null ? (
                      <span class="tag">{t('Predefined')}</span>
                    ) : (
                      <button
                        type="button"
                        class="button is-small is-quiet"
                        onClick={() => void remove(template)}
                      >
                        {t('Remove')}
                        <span class="visually-hidden"> {template.label}</span>
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
      showToast(t('Template {label} has been added.', { label: draft.label }))
      setDraft({ ...BLANK, group: draft.group })
      onDone()
    })
  }
  const set = (field: keyof NewTemplate) => (value: string) =>
    setDraft({ ...draft, [field]: value })
  return (
    <section class="panel stack">
      <h2>{t('Add template')}</h2>
      <form class="form" onSubmit={submit}>
        <TextField label={t('Group')} required value={draft.group} onInput={set('group')} />
        <TextField label={t('Label')} required value={draft.label} onInput={set('label')} />
        <SelectField<string>
          label={t('Minimum color')}
          value={draft.color}
          options={asOptions(COLORS)}
          onChange={set('color')}
        />
        <SelectField<string>
          label={t('Minimum clarity')}
          value={draft.clarity}
          options={asOptions(CLARITIES)}
          onChange={set('clarity')}
        />
        <SelectField<string>
          label={t('Make')}
          value={draft.grade_name}
          options={GRADES}
          onChange={set('grade_name')}
        />
        <button type="submit" class="button is-main" disabled={action.busy}>
          {tIn('verb', 'Add')}
        </button>
      </form>
      <ProblemNote problem={action.problem} />
    </section>
  )
}
