import { t } from '../../language/language.ts'
import { chipsOf } from '../chips.ts'
import { type SearchQuery, withoutFilters } from '../query.ts'

/** The filters in use, each a button that removes it. */
export function FilterChips(props: { query: SearchQuery; onChange: (query: SearchQuery) => void }) {
  const { query, onChange } = props
  const chips = chipsOf(query)
  if (chips.length === 0) return null
  return (
    <ul class="filter-chips" aria-label={t('Filters in use')}>
      {chips.map(({ label, without }) => (
        <li key={label}>
          <button type="button" class="filter-chip" onClick={() => onChange(without)}>
            {label} <span aria-hidden="true">×</span>
            <span class="visually-hidden"> – {t('remove')}</span>
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          class="button is-quiet is-small"
          onClick={() => onChange(withoutFilters(query))}
        >
          {t('Clear all')}
        </button>
      </li>
    </ul>
  )
}
