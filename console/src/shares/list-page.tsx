import { PAGE_ROWS_MAX } from '../api/client.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { capitalize, date, dateTime, humanize, plural } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { Maker } from '../orders/typed.tsx'
import { confirmed } from '../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { BulkButton } from '../parts/table/bulk-button.tsx'
import { SelectAll, SelectRow } from '../parts/table/selection.tsx'
import { SortHead } from '../parts/table/sort.tsx'
import { ListNotes, ListTools, useWholeList, type WholeList } from '../parts/table/whole-list.tsx'
import { showToast } from '../parts/toast.tsx'
import { listShares, revokeShare, type Share } from './requests.ts'

/** More links than anybody looks through; older ones are not shown. */
const LINKS_MAX = 5000
/** So many stones of a share are named. */
const NAMED = 3

/** The links that the merchant gave to customers. */
export function SharesPage() {
  const reading = useRead('shares', readShares)
  const action = useAction()
  const revoke = (share: Share) =>
    action.run(async () => {
      const title = t('Revoke the link to {name}?', { name: nameOf(share) })
      const text = t('Nobody can open the page with it any more. A new link has another address.')
      if (!(await confirmed({ title, text, action: t('Revoke'), isDanger: true }))) return
      await revokeShare(share.uuid)
      showToast(t('The link has been revoked.'))
      reading.reload()
    })
  const shares = reading.value
  const list = useWholeList(shares, LIST)
  return (
    <>
      <div class="page-head">
        <h1>{t('Share links')}</h1>
        <div class="page-tools">
          <ListTools list={list} name={t('share-links.csv')} />
        </div>
        <p class="page-lead">
          {t('Pages that show stones to your customers at your retail prices.')}
        </p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!shares && !reading.problem && <Loading />}
      {shares?.length === 0 && <NothingShared />}
      <SelectedShares list={list} onDone={reading.reload} />
      {list.rows.length > 0 && <ShareTable list={list} onRevoke={(share) => void revoke(share)} />}
    </>
  )
}

/** Revokes several links at once. */
function SelectedShares({ list, onDone }: { list: WholeList<Share>; onDone: () => void }) {
  const { selection } = list
  const active = selection.rows.filter(({ status }) => status === 'active')
  return (
    <ListNotes list={list}>
      <BulkButton
        selection={selection}
        scope="orders:write"
        rows={active}
        label={t('Revoke {links}', { links: plural(active.length, 'link') })}
        text={t('Nobody can open the pages with them any more.')}
        isDanger
        step={({ uuid }) => revokeShare(uuid)}
        onDone={onDone}
      />
    </ListNotes>
  )
}

const VALUES = {
  stones: nameOf,
  status: ({ status }: Share) => status,
  until: ({ expires_on }: Share) => expires_on,
  created: ({ created_on }: Share) => created_on,
}
const COLUMNS: readonly (readonly [string, (share: Share) => Cell])[] = [
  [t('Title'), ({ title }) => title],
  [t('SKUs'), ({ skus }) => skus.join(' ')],
  [t('Status'), ({ status }) => status],
  [t('Works until'), ({ expires_on }) => expires_on],
  [t('Created by'), ({ created_by }) => created_by],
  [t('Created'), ({ created_on }) => created_on],
]
const LIST = { idOf: ({ uuid }: Share) => uuid, columns: COLUMNS, values: VALUES }

/** All of them, so that the page filters and sorts them. */
async function readShares(signal: AbortSignal): Promise<Share[]> {
  const shares: Share[] = []
  let total = 0
  do {
    const page = await listShares({ limit: PAGE_ROWS_MAX, offset: shares.length }, signal)
    shares.push(...page.shares)
    total = page.shares.length === 0 ? 0 : page.total
  } while (shares.length < Math.min(total, LINKS_MAX))
  return shares
}

function nameOf({ title, skus }: Share): string {
  return title === null ? skus.slice(0, NAMED).join(', ') : `“${title}”`
}

function NothingShared() {
  return (
    <Empty title={t('You have not shared a stone yet')}>
      <p>{t('Choose “Share” at a stone or in a comparison. The link is then listed here.')}</p>
      <a class="button is-main" href="/search">
        {t('Search for diamonds')}
      </a>
    </Empty>
  )
}

function ShareTable(props: { list: WholeList<Share>; onRevoke: (share: Share) => void }) {
  const { rows, selection } = props.list
  return (
    <ScrollArea label={t('Share links')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={rows} />
            <SortHead by="stones">{t('Stones')}</SortHead>
            <SortHead by="status">{t('Status')}</SortHead>
            <SortHead by="until">{t('Works until')}</SortHead>
            <SortHead by="created" first="desc">
              {t('Created by')}
            </SortHead>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((share) => (
            <tr key={share.uuid}>
              <SelectRow selection={selection} row={share} name={share.skus.join(', ')} />
              <ShareCells share={share} onRevoke={() => props.onRevoke(share)} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function ShareCells({ share, onRevoke }: { share: Share; onRevoke: () => void }) {
  const { title, skus, status, expires_on, created_by, created_on } = share
  return (
    <>
      <td>
        {title !== null && <p lang="">{title}</p>}
        <span class="small">
          {skus.slice(0, NAMED).map((sku) => (
            <span key={sku}>
              <a class="mono" href={`/stones/${encodeURIComponent(sku)}`}>
                {sku}
              </a>{' '}
            </span>
          ))}
          {skus.length > NAMED && t('and {count} more', { count: skus.length - NAMED })}
        </span>
      </td>
      <td>
        <span class={status === 'active' ? 'tag is-good' : 'tag'}>
          {capitalize(humanize(status))}
        </span>
      </td>
      <td title={dateTime(expires_on)}>{date(expires_on)}</td>
      <td>
        <Maker name={created_by} />
        <p class="muted small">{dateTime(created_on)}</p>
      </td>
      <td>
        {status === 'active' && mayDo('orders:write') && (
          <button type="button" class="button is-small is-quiet" onClick={onRevoke}>
            {t('Revoke')}
            <span class="visually-hidden" lang="">
              {' '}
              {title ?? plural(skus.length, 'stone')}
            </span>
          </button>
        )}
      </td>
    </>
  )
}
