import { t } from '../language/language.ts'
import { count } from '../lib/format.ts'
import { withParams } from '../lib/router.ts'

/** Links to the previous and the next page of a list; the offset is in the address. */
export function Pager(props: { total: number; limit: number; offset: number }) {
  const { total, limit, offset } = props
  if (total <= limit) return null
  const at = (next: number) => withParams({ offset: next > 0 ? String(next) : undefined })
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
