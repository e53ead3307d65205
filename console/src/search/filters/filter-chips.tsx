import { t } from '../../language/language.ts'

/** The filters in use, each a button that removes it. */
export function FilterChips<Filters>(props: {
  /** Each in words, with the search that is left without it. */
  chips: readonly { label: string; without: Filters }[]
  onChange: (filters: Filters) => void
  onClear: () => void
}) {
  const { chips, onChange, onClear } = props
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
        <button type="button" class="button is-quiet is-small" onClick={onClear}>
          {t('Clear all')}
        </button>
      </li>
    </ul>
  )
}
