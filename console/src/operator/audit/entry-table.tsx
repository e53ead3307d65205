import type { AuditEntry } from '../../api/operator/audit.ts'
import { t } from '../../language/language.ts'
import { dateTime, humanize } from '../../lib/format.ts'
import { withParams } from '../../lib/router.ts'
import { Maker } from '../../orders/typed.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SelectAll, type Selection, SelectRow } from '../../parts/table/selection.tsx'
import { SortHead } from '../../parts/table/sort.tsx'
import { actionText, subjectPage } from './actions.ts'

/** What entries can be sorted by, in the names of the interface. */
export const ENTRY_SORTS = ['at', 'actor', 'action'] as const

/** The entries of a page; each name filters the list by itself. */
export function EntryTable(props: {
  entries: readonly AuditEntry[]
  selection: Selection<AuditEntry>
}) {
  const { entries, selection } = props
  return (
    <ScrollArea label={t('Entries')}>
      <table class="records">
        <thead>
          <tr>
            <SelectAll selection={selection} rows={entries} />
            <SortHead by="at">{t('Time')}</SortHead>
            <SortHead by="actor">{t('Who')}</SortHead>
            <SortHead by="action">{t('What')}</SortHead>
            <th scope="col">{t('Changes')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.uuid}>
              <SelectRow
                selection={selection}
                row={entry}
                name={`${actionText(entry.action)}, ${dateTime(entry.at)}`}
              />
              <td class="number">{dateTime(entry.at)}</td>
              <td>
                <Actor entry={entry} />
              </td>
              <td>
                <a href={only({ action: entry.action })}>{actionText(entry.action)}</a>
                <Subject subject={entry.subject} />
              </td>
              <td>
                <Changes entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

const only = (filter: Record<string, string>) => withParams({ ...filter, cursor: undefined })

const ACTOR_KINDS = new Map([
  ['user', t('User')],
  ['token', t('Key')],
  ['command_line', t('Command line')],
  ['system', t('System')],
])

function Actor({ entry: { actor, ip } }: { entry: AuditEntry }) {
  const kind = ACTOR_KINDS.get(actor.kind) ?? humanize(actor.kind)
  // The command line and the system have no name but what they are.
  return (
    <>
      <a href={only({ actor: actor.uuid ?? actor.kind })}>
        {actor.uuid !== null && actor.name ? <Maker name={actor.name} /> : kind}
      </a>
      <div class="muted small">
        {actor.uuid !== null && kind}
        {actor.uuid !== null && ip && ' · '}
        {ip}
      </div>
    </>
  )
}

function Subject({ subject }: { subject: AuditEntry['subject'] }) {
  const page = subjectPage(subject)
  return (
    <div class="small">
      <a class="mono muted" href={only({ subject: subject.id })} title={t('Only entries of this')}>
        {subject.id}
      </a>
      {page && (
        <>
          {' '}
          <a href={page}>
            {t('Open')}
            <span class="visually-hidden mono"> {subject.id}</span>
          </a>
        </>
      )}
    </div>
  )
}

/** The fields that differ, each before and after. */
function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => isKnown(before, name) || isKnown(after, name),
  )
  if (names.length === 0) return null
  const rows = (
    <dl class="changes">
      {names.map((name) => (
        <div key={name}>
          <dt class="mono">{name}</dt>
          <dd class="mono">
            {before && <del>{valueText(valueIn(before, name))}</del>}
            {before && after && ' → '}
            {after && <ins>{valueText(valueIn(after, name))}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
  if (names.length <= SHOWN_MAX) return rows
  return (
    <details>
      <summary>{t('{count} fields', { count: names.length })}</summary>
      {rows}
    </details>
  )
}

/** More fields than these are folded. */
const SHOWN_MAX = 4

/** What is created has many fields that are empty. */
function isKnown(fields: object | null, name: string): boolean {
  return fields !== null && (valueIn(fields, name) ?? null) !== null
}

function valueIn(fields: object, name: string): unknown {
  return Object.entries(fields).find(([each]) => each === name)?.[1]
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'string' ? value || '""' : JSON.stringify(value)
}
