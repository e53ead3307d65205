import type { Relaxation } from '../api/gems.ts'
import { t } from '../language/language.ts'
import { decimal, plural } from '../lib/format.ts'
import { Empty } from '../parts/feedback.tsx'
import { choiceTexts, FLAG_LABELS, nameOf } from './labels.ts'
import { changeFilter, FLAG_FILTERS, FLAGS, type SearchQuery } from './query.ts'

const SHOWN_MAX = 6

/** No stone matches: offers the smallest changes to the search that would find some. */
export function NothingFound(props: {
  query: SearchQuery
  relaxations: Relaxation[]
  onChange: (query: SearchQuery) => void
}) {
  const { query, relaxations, onChange } = props
  return (
    <Empty title={t('No stones match your search')}>
      {relaxations.length > 0 ? (
        <>
          <p>{t('One of these changes would find some:')}</p>
          <div class="row">
            {relaxations.slice(0, SHOWN_MAX).map((each) => (
              <button
                key={each.filters.join() + each.change}
                type="button"
                class="button"
                onClick={() => onChange(changeFilters(query, each))}
              >
                {relaxationText(each)}
                <span class="tag is-accent">{plural(each.total_count, 'stone')}</span>
              </button>
            ))}
          </div>
        </>
      ) : (
        <p>{t('Try removing filters, one at a time, with the buttons above.')}</p>
      )}
    </Empty>
  )
}

function changeFilters(query: SearchQuery, { filters, value }: Relaxation): SearchQuery {
  return filters.reduce((changed, filter) => changeFilter(changed, filter, value), query)
}

function relaxationText({ filters, change, value }: Relaxation): string {
  return filters.map((filter) => textOf(filter, change, value)).join(' · ')
}

/** The name of the filter stands first, so that it needs no article and no case. */
function textOf(filter: string, change: Relaxation['change'], value: Relaxation['value']): string {
  const on = switchLabel(filter)
  if (on !== undefined) return t('Without “{filter}”', { filter: on })
  const { name, end } = nameOf(filter)
  if (change === 'dropped' || value === null) {
    if (end === undefined) return t('{name}: all', { name })
    return end === 'min'
      ? t('{name}: no lower limit', { name })
      : t('{name}: no upper limit', { name })
  }
  if (Array.isArray(value)) {
    return t('{name}: also {values}', { name, values: choiceTexts(filter, value.map(String)) })
  }
  const bound = typeof value === 'number' ? decimal(value) : String(value)
  return end === 'min'
    ? t('{name}: from {value}', { name, value: bound })
    : t('{name}: up to {value}', { name, value: bound })
}

/** The name of a filter that is on or off. */
function switchLabel(filter: string): string | undefined {
  if (filter === 'is_fancy') return t('Fancy colors')
  const flag = FLAGS.find((name) => FLAG_FILTERS[name][0] === filter)
  return flag && FLAG_LABELS[flag]
}
