import { useState } from 'preact/hooks'
import { CLARITIES, COLORS } from '../../../src/reference/attributes.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import {
  addTemplate,
  listTemplates,
  type NewTemplate,
  removeTemplate,
  type Template,
} from '../api/settings.ts'
import { t, tIn } from '../language/language.ts'
import { capitalize, humanize } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { ListTable } from '../parts/table/list-table.tsx'
import { ListNotes, ListTools, useWholeList, type WholeList } from '../parts/table/whole-list.tsx'
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
  const list = useWholeList(reading.value, LIST)
  return (
    <>
      <SettingsHead>
        <ListTools list={list} name={t('templates.csv')} />
      </SettingsHead>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!reading.value && !reading.problem && <Loading />}
      <ListNotes list={list} />
      {list.rows.length > 0 && (
        <TemplateTable list={list} onRemove={(template) => void remove(template)} />
      )}
      {mayDo('settings:write') && <NewTemplateForm onDone={reading.reload} />}
    </>
  )
}

/** Grades in the order of the trade, the best first. */
const VALUES = {
  group: ({ group, position }: Template) => `${group} ${position}`,
  label: ({ label }: Template) => label,
  color: ({ color }: Template) => (COLORS as readonly string[]).indexOf(color),
  clarity: ({ clarity }: Template) => (CLARITIES as readonly string[]).indexOf(clarity),
  make: ({ grade_name }: Template) => GRADES.findIndex(([grade]) => grade === grade_name),
}
const HEADS = [
  ['group', t('Group')],
  ['label', t('Label')],
  ['color', t('Color')],
  ['clarity', t('Clarity')],
  ['make', t('Make')],
] as const
const COLUMNS: readonly (readonly [string, (template: Template) => Cell])[] = [
  [t('Group'), ({ group }) => group],
  [t('Position'), ({ position }) => position],
  [t('Label'), ({ label }) => label],
  [t('Minimum color'), ({ color }) => color],
  [t('Minimum clarity'), ({ clarity }) => clarity],
  [t('Make'), ({ grade_name }) => grade_name],
]
const LIST = { idOf: ({ uuid }: Template) => uuid, columns: COLUMNS, values: VALUES }

function TemplateTable(props: {
  list: WholeList<Template>
  onRemove: (template: Template) => void
}) {
  const { rows, selection } = props.list
  return (
    <ListTable
      label={t('Templates')}
      heads={HEADS}
      rows={rows}
      selection={selection}
      nameOf={({ label }) => label}
      hasButtons
    >
      {(template) => (
        <>
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
              mayDo('settings:write') && (
                <button
                  type="button"
                  class="button is-small is-quiet"
                  onClick={() => props.onRemove(template)}
                >
                  {t('Remove')}
                  <span class="visually-hidden"> {template.label}</span>
                </button>
              )
            )}
          </td>
        </>
      )}
    </ListTable>
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
