import type { Gem } from '../api/gems.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { capitalize, date, dateTime, money, percent } from '../lib/format.ts'
import { useOffset } from '../lib/router.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { showToast } from '../parts/toast.tsx'
import { gemName } from '../stones/labels.ts'
import { listWatched, unwatchStone, type Watched } from './requests.ts'

const LIMIT = 50

/** The stones that the merchant watches, and what happened to them since. */
export function WatchPage() {
  const offset = useOffset()
  const reading = useRead(String(offset), (signal) => listWatched({ limit: LIMIT, offset }, signal))
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
  const watched = reading.value?.watched
  return (
    <>
      <div class="page-head">
        <h1>{t('Watch list')}</h1>
        <p class="page-lead">
          {t('What happened to the stones that you marked. Notices tell you of it, too.')}
        </p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!watched && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <NothingWatched />}
      {watched && watched.length > 0 && (
        <WatchTable watched={watched} onRemove={(row) => void remove(row)} />
      )}
      <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
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

function WatchTable(props: { watched: Watched[]; onRemove: (row: Watched) => void }) {
  return (
    <ScrollArea label={t('Watch list')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Stone')}</th>
            <th scope="col">{t('Status')}</th>
            <th scope="col" class="number">
              {t('Wholesale then')}
            </th>
            <th scope="col" class="number">
              {t('Wholesale now')}
            </th>
            <th scope="col" class="number">
              {t('Retail now')}
            </th>
            <th scope="col">{t('Marked on')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {props.watched.map((row) => (
            <WatchRow key={row.sku} row={row} onRemove={() => props.onRemove(row)} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function WatchRow({ row, onRemove }: { row: Watched; onRemove: () => void }) {
  const { sku, stone, price_then, price_now, currency_code, created_on, created_by } = row
  const amount = (value: number | undefined) =>
    value === undefined ? '–' : money(value, currency_code)
  return (
    <tr>
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
        <p class="muted small" lang="">
          {created_by}
        </p>
      </td>
      <td>
        {mayDo('orders:write') && (
          <button type="button" class="button is-small is-quiet" onClick={onRemove}>
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
