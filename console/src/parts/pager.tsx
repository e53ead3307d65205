import { t } from '../language/language.ts'
import { count } from '../lib/format.ts'
import { withParams } from '../lib/router.ts'

/** Links to the previous and the next page of a list; the offset is in the address. */
export function Pager(props: { total: number; limit: number; offset: number }) {
  const { total, limit, offset } = props
  const at = (next: number) => withParams({ offset: next > 0 ? String(next) : undefined })
  if (total > 0 && offset >= total) {
    return <AfterTheEnd href={at((Math.ceil(total / limit) - 1) * limit)} />
  }
  if (total <= limit) return null
  return (
    <nav class="row" aria-label={t('Result pages')} style={{ marginTop: '16px' }}>
      {offset > 0 && (
        <a class="button is-small" href={at(Math.max(0, offset - limit))}>
          {t('← Previous')}
        </a>
      )}
      <span class="muted small">
        {t('{from}–{to} of {total}', {
          from: count(offset + 1),
          to: count(Math.min(total, offset + limit)),
          total: count(total),
        })}
      </span>
      {offset + limit < total && (
        <a class="button is-small" href={at(offset + limit)}>
          {t('Next →')}
        </a>
      )}
    </nav>
  )
}

/** In place of a page whose rows are gone since: they were worked off, or no longer match. */
function AfterTheEnd({ href }: { href: string }) {
  return (
    <p class="row" style={{ marginTop: '16px' }}>
      <span class="muted">{t('The list has become shorter; this page of it is empty.')}</span>
      <a class="button is-small" href={href}>
        {t('To the last page')}
      </a>
    </p>
  )
}
