import { useState } from 'preact/hooks'
import { useRead } from '../../api/hooks.ts'
import type { AuditEntry, AuditQuery } from '../../api/operator/audit.ts'
import { ownUsers } from '../../api/people.ts'
import { t } from '../../language/language.ts'
import { go, useLocation, withParams } from '../../lib/router.ts'
import { SelectField } from '../../parts/fields.tsx'
import { actionText, NOUNS } from './actions.ts'

const NAMES = ['action', 'actor', 'subject', 'from', 'to', 'merchant'] as const
type Name = (typeof NAMES)[number]

/** What the address asks for. A day lasts from midnight to midnight where the reader is. */
export function queryIn(params: URLSearchParams): Omit<AuditQuery, 'limit' | 'cursor'> {
  const text = (name: Name) => params.get(name)?.trim() || undefined
  return {
    action: text('action'),
    actor: text('actor'),
    subject: text('subject'),
    merchant_uuid: text('merchant'),
    from: momentOf(text('from'), 0),
    to: momentOf(text('to'), 1),
  }
}

function momentOf(day: string | undefined, daysLater: number): string | undefined {
  if (!day) return undefined
  const moment = new Date(`${day}T00:00`)
  moment.setDate(moment.getDate() + daysLater)
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString()
}

export function AuditFilters({ entries }: { entries: readonly AuditEntry[] }) {
  const { params } = useLocation()
  const value = (name: Name) => params.get(name) ?? ''
  const set = (name: Name, next: string) =>
    go(withParams({ [name]: next || undefined, cursor: undefined }))
  const isFiltered = NAMES.some((name) => params.has(name))
  const none = Object.fromEntries([...NAMES, 'cursor'].map((name) => [name, undefined]))
  return (
    <section class="panel form" aria-label={t('Filters')} style={{ marginBottom: '16px' }}>
      <SelectField<string>
        label={t('What')}
        value={value('action')}
        options={actionOptions(value('action'))}
        onChange={(next) => set('action', next)}
      />
      <ActorField
        chosen={value('actor')}
        entries={entries}
        onChange={(next) => set('actor', next)}
      />
      <SubjectField key={value('subject')} subject={value('subject')} onChange={set} />
      <DayField label={t('From')} day={value('from')} onChange={(next) => set('from', next)} />
      <DayField label={t('Until')} day={value('to')} onChange={(next) => set('to', next)} />
      {isFiltered && (
        <a class="button" href={withParams(none)}>
          {t('Clear filters')}
        </a>
      )}
    </section>
  )
}

type Options = readonly (readonly [value: string, label: string])[]

function actionOptions(chosen: string): Options {
  const all: Options = [
    ['', t('Everything')],
    ...NOUNS.map(([noun, label]) => [`${noun}.*`, label] as const),
  ]
  return all.some(([action]) => action === chosen) ? all : [...all, [chosen, actionText(chosen)]]
}

const NAMED_ACTORS: Options = [
  ['', t('Anybody')],
  ['command_line', t('Command line')],
  ['system', t('System')],
]

/** The operator's people, and the actor that was chosen in the list below. */
function ActorField(props: {
  chosen: string
  entries: readonly AuditEntry[]
  onChange: (actor: string) => void
}) {
  const { chosen, entries, onChange } = props
  const users = useRead('users', (signal) => ownUsers().list(signal)).value?.users ?? []
  const people = users.map(({ uuid, name, email }) => [uuid, name || email] as const)
  const isListed = [...NAMED_ACTORS, ...people].some(([actor]) => actor === chosen)
  const found = entries.find(({ actor }) => actor.uuid === chosen)?.actor.name
  const others: Options = isListed ? people : [...people, [chosen, found || chosen]]
  return (
    <label class="field">
      <span>{t('Who')}</span>
      <select
        class="input"
        value={chosen}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {NAMED_ACTORS.map(([actor, label]) => (
          <option key={actor} value={actor}>
            {label}
          </option>
        ))}
        {others.map(([actor, name]) => (
          <option key={actor} value={actor} lang="">
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function SubjectField(props: { subject: string; onChange: (name: Name, next: string) => void }) {
  const [text, setText] = useState(props.subject)
  // The browser reports a change when Enter is pressed, before it would send the form.
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>{t('Number or SKU')}</span>
        <input
          class="input"
          type="search"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onChange={() => props.onChange('subject', text.trim())}
        />
      </label>
    </form>
  )
}

function DayField(props: { label: string; day: string; onChange: (day: string) => void }) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        class="input"
        type="date"
        value={props.day}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    </label>
  )
}
