import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { capitalize, date, dateTime, humanize, plural } from '../lib/format.ts'
import { useOffset } from '../lib/router.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { showToast } from '../parts/toast.tsx'
import { listShares, revokeShare, type Share } from './requests.ts'

const LIMIT = 50
/** So many stones of a share are named. */
const NAMED = 3

/** The links that the merchant gave to customers. */
export function SharesPage() {
  const offset = useOffset()
  const reading = useRead(String(offset), (signal) => listShares({ limit: LIMIT, offset }, signal))
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
  const shares = reading.value?.shares
  return (
    <>
      <div class="page-head">
        <h1>{t('Share links')}</h1>
        <p class="page-lead">
          {t('Pages that show stones to your customers at your retail prices.')}
        </p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!shares && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <NothingShared />}
      {shares && shares.length > 0 && (
        <ShareTable shares={shares} onRevoke={(share) => void revoke(share)} />
      )}
      <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
    </>
  )
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

function ShareTable(props: { shares: Share[]; onRevoke: (share: Share) => void }) {
  return (
    <ScrollArea label={t('Share links')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Stones')}</th>
            <th scope="col">{t('Status')}</th>
            <th scope="col">{t('Works until')}</th>
            <th scope="col">{t('Created by')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {props.shares.map((share) => (
            <ShareRow key={share.uuid} share={share} onRevoke={() => props.onRevoke(share)} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function ShareRow({ share, onRevoke }: { share: Share; onRevoke: () => void }) {
  const { title, skus, status, expires_on, created_by, created_on } = share
  return (
    <tr>
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
        <span lang="">{created_by}</span>
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
    </tr>
  )
}
