import { count } from '../lib/format.ts'
import { withParams } from '../lib/router.ts'

/** Links to the previous and the next page of a list; the offset is in the address. */
export function Pager(props: { total: number; limit: number; offset: number }) {
  const { total, limit, offset } = props
  if (total <= limit) return null
  const at = (next: number) => withParams({ offset: next > 0 ? String(next) : undefined })
  return (
    <nav class="row" aria-label="Result pages" style={{ marginTop: '16px' }}>
      {offset > 0 && (
        <a class="button is-small" href={at(Math.max(0, offset - limit))}>
          ← Previous
        </a>
      )}
      <span class="muted small">
        {count(offset + 1)}–{count(Math.min(total, offset + limit))} of {count(total)}
      </span>
      {offset + limit < total && (
        <a class="button is-small" href={at(offset + limit)}>
          Next →
        </a>
      )}
    </nav>
  )
}
