import { noticeText } from '../../../src/notices/texts/notice-text.ts'
import { isNoticeKind, KINDS_OF, labelOf } from '../../../src/reference/notice-kinds.ts'
import { useRead } from '../api/hooks.ts'
import { listNotices, type Notice } from '../api/notices.ts'
import { session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { count, dateTime, fromNow, plural } from '../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { Pager } from '../parts/pager.tsx'
import { MailSettings } from './mail-settings.tsx'
import { Joined, Said } from './said.tsx'

const LIMIT = 25

/** What happened, newest first, and which of it is also sent by e-mail. */
export function NoticesPage() {
  const { params } = useLocation()
  const chosen = params.get('kind') ?? ''
  const kind = isNoticeKind(chosen) ? chosen : undefined
  const search = { kind, limit: LIMIT, offset: useOffset() }
  const reading = useRead(JSON.stringify(search), (signal) => listNotices(search, signal))
  const total = reading.value?.total ?? 0
  return (
    <>
      <div class="page-head">
        <h1>{t('Notices')}</h1>
        {reading.value && <span class="muted">{plural(total, 'notice')}</span>}
        <div class="page-tools">
          <KindFilter kind={chosen} />
        </div>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title={t('No notices')}>
          <p class="muted">
            {t('What happens to your orders and stones appears here for 90 days.')}
          </p>
        </Empty>
      )}
      {reading.value && total > 0 && (
        <ul>
          {reading.value.notices.map((notice) => (
            <NoticePanel key={notice.uuid} notice={notice} />
          ))}
        </ul>
      )}
      <Pager total={total} limit={LIMIT} offset={search.offset} />
      <MailSettings />
    </>
  )
}

function KindFilter({ kind }: { kind: string }) {
  const kinds = KINDS_OF[session.get()?.role ?? 'merchant']
  const options = kinds.map((each) => [each as string, firstUpper(t(labelOf(each)))] as const)
  return (
    <SelectField
      label={t('Kind of notice')}
      hideLabel
      value={kind}
      options={[['', t('All kinds')], ...options]}
      onChange={(next) => go(withParams({ kind: next || undefined, offset: undefined }))}
    />
  )
}

/** In the reader's language; a notice from before there were details is in English. */
function NoticePanel({ notice }: { notice: Notice }) {
  const { subject, text, items, more, url, details, created_on } = notice
  const written = details ? noticeText(details, session.get()?.role ?? 'merchant') : undefined
  return (
    <li class="panel">
      <div class="panel-head">
        <h2>
          <a href={pathOf(url)} lang={written ? undefined : 'en'}>
            {written ? <Said value={written.subject} /> : subject}
          </a>
        </h2>
        <time class="muted small" dateTime={created_on} title={dateTime(created_on)}>
          {fromNow(created_on)}
        </time>
      </div>
      {written ? (
        <p>
          <Joined values={written.sentences} between=" " />
        </p>
      ) : (
        <p lang="en">{text}</p>
      )}
      {items.length > 0 && (
        <ul class="small">
          {written?.items.map(({ title, details: parts }, at) => (
            <li key={items[at]?.title ?? at}>
              {typeof title === 'string' ? (
                <span class="mono">{title}</span>
              ) : (
                <Said value={title} />
              )}{' '}
              <Joined values={parts} between=", " />
            </li>
          )) ??
            items.map(({ title, detail }) => (
              <li key={title} lang="en">
                <span class="mono">{title}</span> {detail}
              </li>
            ))}
          {more > 0 && <li class="muted">{t('and {n} more', { n: count(more) })}</li>}
        </ul>
      )}
    </li>
  )
}

/** The console is open at some address already, which may be another than the one in e-mails. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

export function firstUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
