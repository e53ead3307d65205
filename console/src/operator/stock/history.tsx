import type { HistoryEntry } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { fieldName } from '../../lib/field-name.ts'
import { dateTime, humanize } from '../../lib/format.ts'
import type { Cell } from '../../lib/workbook.ts'
import { type ListHead, ListTable } from '../../parts/table/list-table.tsx'
import { ListNotes, ListTools, useWholeList } from '../../parts/table/whole-list.tsx'
import { shownValue } from './values.ts'

const ACTIONS: Record<string, string> = {
  'gem.list': t('Listed'),
  'gem.set': t('Changed by hand'),
  'gem.release': t('Hold ended by the operator'),
  'conflict.decide': t('Conflict decided'),
  'quarantine.release': t('Released from quarantine'),
  'quarantine.dismiss': t('Dismissed from quarantine'),
  'import.change': t('Changed by an import'),
  'price.change': t('Price changed'),
  'hold.create': t('Held'),
  'hold.ending': t('Hold ends soon'),
  'hold.release': t('Hold released'),
  'hold.expire': t('Hold expired'),
  'order.create': t('Ordered'),
  'order.cancel': t('Order cancelled'),
  'order.line.decline': t('Declined by the supplier'),
  'order.memo.return': t('Returned from memo'),
  'order.memo.convert': t('Memo converted to an invoice'),
  'order.return.receive': t('Return received'),
}

/** An entry with its place, counted from the first one, which does not change any more. */
type Entry = HistoryEntry & { place: number }

const VALUES = {
  when: ({ changed_on }: Entry) => changed_on,
  what: (entry: Entry) => actionText(entry),
  who: (entry: Entry) => actorName(entry),
}
const HEADS: readonly ListHead[] = [
  ['when', t('When')],
  ['what', t('What')],
  ['who', t('Who')],
  [undefined, t('Changes')],
]
const COLUMNS: readonly (readonly [string, (entry: Entry) => Cell])[] = [
  [t('When'), ({ changed_on }) => changed_on],
  [t('What'), actionText],
  [t('Who'), actorName],
  [
    t('Changes'),
    ({ changes }) =>
      changeTexts(changes)
        .map((texts) => texts.join(' '))
        .join('; '),
  ],
]
const LIST = { idOf: ({ place }: Entry) => String(place), columns: COLUMNS, values: VALUES }

/** Who changed what, and when; newest first unless sorted otherwise. */
export function StoneHistory({ history }: { history: HistoryEntry[] }) {
  const entries = history.map((entry, index) => ({ ...entry, place: history.length - index }))
  const list = useWholeList(entries, LIST)
  return (
    <div class="stack">
      <div class="row">
        <h2>{t('History')}</h2>
        <ListTools list={list} name={t('history.csv')} />
      </div>
      <ListNotes list={list} />
      {list.rows.length > 0 && (
        <ListTable
          label={t('History')}
          heads={HEADS}
          rows={list.rows}
          selection={list.selection}
          nameOf={(entry) => `${actionText(entry)}, ${dateTime(entry.changed_on)}`}
        >
          {(entry) => (
            <>
              <td>
                <span class="number">{dateTime(entry.changed_on)}</span>
              </td>
              <td>
                <What entry={entry} />
              </td>
              <td>{actorName(entry)}</td>
              <td>
                <Changes changes={entry.changes} />
              </td>
            </>
          )}
        </ListTable>
      )}
    </div>
  )
}

function actionText({ action }: HistoryEntry): string {
  return ACTIONS[action] ?? humanize(action)
}

function actorName({ actor }: HistoryEntry): string {
  return actor.name ?? humanize(actor.kind)
}

const PAGES: Partial<Record<string, string>> = { order: 'orders', import: 'imports' }

function What({ entry }: { entry: HistoryEntry }) {
  const { subject } = entry
  const text = actionText(entry)
  const page = subject ? PAGES[subject.kind] : undefined
  if (!subject || !page) return <>{text}</>
  return <a href={`/operator/${page}/${subject.uuid}`}>{text}</a>
}

function Changes({ changes }: Pick<HistoryEntry, 'changes'>) {
  const texts = changeTexts(changes)
  if (texts.length === 0) return <>–</>
  return (
    <ul>
      {texts.map(([field, change]) => (
        <li key={field}>
          <span class="muted">{field}</span> <span class="number">{change}</span>
        </li>
      ))}
    </ul>
  )
}

/** Each field that changed, with its value before and after. */
function changeTexts(changes: HistoryEntry['changes']): [field: string, change: string][] {
  return Object.entries(changes).map(([field, { from, to }]) => [
    fieldName(field),
    `${shownValue(field, from)} → ${shownValue(field, to)}`,
  ])
}
