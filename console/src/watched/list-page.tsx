import type { Gem } from '../api/gems.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { capitalize, date, dateTime, money, percent, plural } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { Maker } from '../orders/typed.tsx'
import { confirmed } from '../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { BulkButton } from '../parts/table/bulk-button.tsx'
import { SelectAll, type Selection, SelectRow } from '../parts/table/selection.tsx'
import { SortHead } from '../parts/table/sort.tsx'
import { ListNotes, ListTools, useWholeList } from '../parts/table/whole-list.tsx'
import { showToast } from '../parts/toast.tsx'
import { gemName } from '../stones/labels.ts'
import { listWatched, unwatchStone, type Watched } from './requests.ts'

/** As many as a merchant may watch, so that the page has all of them. */
const LIMIT = 500

const COLUMNS: readonly (readonly [string, (row: Watched) => Cell])[] = [
  [t('SKU'), ({ sku }) => sku],
  [t('Stone'), ({ stone }) => stone && gemName(stone as unknown as Gem)],
  [t('Status'), ({ status }) => status],
  [t('Currency'), ({ currency_code }) => currency_code],
  [t('Wholesale then'), ({ price_then }) => price_then?.wholesale_price],
  [t('Wholesale now'), ({ price_now }) => price_now?.wholesale_price],
  [t('Retail now'), ({ price_now }) => price_now?.retail_price],
  [t('Marked on'), ({ created_on }) => created_on],
]

/** The stones that the merchant watches, and what happened to them since. */
export function WatchPage() {
  const reading = useRead('watched', (signal) => listWatched({ limit: LIMIT, offset: 0 }, signal))
  const action = useAction()
  const remove = ({ sku }: Watched) =>
    action.run(async () => {
      const title = t('Remove {sku} from your watch list?', { sku })
      const text = t('The price of the day on which it was marked is forgotten.')
      if (!(await confirmed({ title, text, action: t('Remove'), isDanger: true }))) return
      await unwatchStone(sku)
      showToast(t('No longer on your watch list.'))
      reading.reload()
    })
  const list = useWholeList(reading.value?.watched, LIST)
  const { rows: watched, selection } = list
  return (
    <>
      <div class="page-head">
        <h1>{t('Watch list')}</h1>
        <div class="page-tools">
          <ListTools list={list} name={t('watch-list.csv')} />
        </div>
        <p class="page-lead">
          {t('What happened to the stones that you marked. Notices tell you of it, too.')}
        </p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <NothingWatched />}
      <ListNotes list={list}>
        <BulkButton
          selection={selection}
          scope="orders:write"
          rows={selection.rows}
          label={t('Remove {stones}', { stones: plural(selection.rows.length, 'stone') })}
          text={t('The prices of the days on which they were marked are forgotten.')}
          isDanger
          step={({ sku }) => unwatchStone(sku)}
          onDone={reading.reload}
        />
      </ListNotes>
      {watched.length > 0 && (
        <WatchTable watched={watched} selection={selection} onRemove={(row) => void remove(row)} />
      )}
    </>
  )
}

function NothingWatched() {
  return (
    <Empty title={t('You watch no stone yet')}>
      <p>{t('Choose “Watch” at a stone, or for stones that you select in the table.')}</p>
      <a class="button is-main" href="/search">
        {t('Search for diamonds')}
      </a>
    </Empty>
  )
}

/** What stones are sorted by: by weight where the column names the stone. */
const VALUES = {
  stone: ({ stone }: Watched) => stone?.weight,
  status: ({ status }: Watched) => STATUSES[status][0],
  before: ({ price_then }: Watched) => price_then?.wholesale_price,
  now: ({ price_now }: Watched) => price_now?.wholesale_price,
  retail: ({ price_now }: Watched) => price_now?.retail_price,
  marked: ({ created_on }: Watched) => created_on,
}
const LIST = { idOf: ({ sku }: Watched) => sku, columns: COLUMNS, values: VALUES }
const HEADS = [
  ['stone', t('Stone')],
  ['status', t('Status')],
  ['before', t('Wholesale then'), 'number'],
  ['now', t('Wholesale now'), 'number'],
  ['retail', t('Retail now'), 'number'],
  ['marked', t('Marked on')],
] as const

interface Listed {
  selection: Selection<Watched>
  onRemove: (row: Watched) => void
}

function WatchTable(props: Listed & { watched: readonly Watched[] }) {
  const { watched, selection, onRemove } = props
  return (
    <ScrollArea label={t('Watch list')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={watched} />
            {HEADS.map(([by, label, kind]) => (
              <SortHead key={by} by={by} {...(kind && { class: kind })}>
                {label}
              </SortHead>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {watched.map((row) => (
            <WatchRow key={row.sku} row={row} selection={selection} onRemove={onRemove} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function WatchRow({ row, selection, onRemove }: Listed & { row: Watched }) {
  const { sku, stone, price_then, price_now, currency_code, created_on, created_by } = row
  const amount = (value: number | undefined) =>
    value === undefined ? '–' : money(value, currency_code)
  return (
    <tr>
      <SelectRow selection={selection} row={row} name={sku} />
      <td class="saved-name">
        <a href={`/stones/${encodeURIComponent(sku)}`}>
          {stone ? capitalize(gemName(stone as unknown as Gem)) : sku}
        </a>
        <p class="muted small mono">{sku}</p>
      </td>
      <td>
        <StatusTag row={row} />
      </td>
      <td class="number">{amount(price_then?.wholesale_price)}</td>
      <td class="number">
        {amount(price_now?.wholesale_price)}
        <PriceChange row={row} />
      </td>
      <td class="number">{amount(price_now?.retail_price)}</td>
      <td title={dateTime(created_on)}>
        {date(created_on)}
        <p class="muted small">
          <Maker name={created_by} />
        </p>
      </td>
      <td>
        {mayDo('orders:write') && (
          <button type="button" class="button is-small is-quiet" onClick={() => onRemove(row)}>
            {t('Remove')}
            <span class="visually-hidden"> {sku}</span>
          </button>
        )}
      </td>
    </tr>
  )
}

const STATUSES: Record<Watched['status'], [text: string, tag: string]> = {
  available: [t('Available'), 'tag is-good'],
  held: [t('Held'), 'tag is-warn'],
  sold: [t('Sold'), 'tag'],
  withdrawn: [t('Withdrawn'), 'tag'],
}

function StatusTag({ row: { status, back_on, price_now } }: { row: Watched }) {
  const [text, tag] = STATUSES[status]
  return (
    <>
      <span class={tag}>{text}</span>
      {back_on !== null && price_now && (
        <p class="muted small">{t('Back since {date}', { date: date(back_on) })}</p>
      )}
    </>
  )
}

/** By how much the price differs from that of the day on which the stone was marked. */
function PriceChange({ row: { price_then, price_now } }: { row: Watched }) {
  if (!price_then || !price_now) return null
  const difference = price_now.wholesale_price - price_then.wholesale_price
  if (difference === 0) return null
  const part = percent((Math.abs(difference) / price_then.wholesale_price) * 100)
  return (
    <p class="small">
      {difference < 0
        ? t('{percent} less', { percent: part })
        : t('{percent} more', { percent: part })}
    </p>
  )
}
