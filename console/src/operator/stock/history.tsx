import type { HistoryEntry } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { fieldName } from '../../lib/field-name.ts'
import { dateTime, humanize } from '../../lib/format.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
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

/** Who changed what, and when; newest first. */
export function StoneHistory({ history }: { history: HistoryEntry[] }) {
  return (
    <ScrollArea label={t('History')}>
      <div class="panel-head">
        <h2>{t('History')}</h2>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('When')}</th>
            <th scope="col">{t('What')}</th>
            <th scope="col">{t('Who')}</th>
            <th scope="col">{t('Changes')}</th>
          </tr>
        </thead>
        <tbody>
          {history.map((entry, index) => (
            <tr key={index}>
              <td>
                <span class="number">{dateTime(entry.changed_on)}</span>
              </td>
              <td>
                <What entry={entry} />
              </td>
              <td>{entry.actor.name ?? humanize(entry.actor.kind)}</td>
              <td>
                <Changes changes={entry.changes} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

const PAGES: Partial<Record<string, string>> = { order: 'orders', import: 'imports' }

function What({ entry: { action, subject } }: { entry: HistoryEntry }) {
  const text = ACTIONS[action] ?? humanize(action)
  const page = subject ? PAGES[subject.kind] : undefined
  if (!subject || !page) return <>{text}</>
  return <a href={`/operator/${page}/${subject.uuid}`}>{text}</a>
}

function Changes({ changes }: { changes: HistoryEntry['changes'] }) {
  const fields = Object.entries(changes)
  if (fields.length === 0) return <>–</>
  return (
    <ul>
      {fields.map(([field, { from, to }]) => (
        <li key={field}>
          <span class="muted">{fieldName(field)}</span>{' '}
          <span class="number">
            {shownValue(field, from)} → {shownValue(field, to)}
          </span>
        </li>
      ))}
    </ul>
  )
}
