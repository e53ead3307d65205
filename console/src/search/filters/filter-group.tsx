import type { ComponentChildren } from 'preact'
import type { SearchQuery } from '../query.ts'
import type { Group } from './filter-groups.ts'

/** A folded group of filters, which says how many of them are in use. */
export function FilterGroup(props: {
  group: Group
  query: SearchQuery
  children: ComponentChildren
}) {
  const { group, query, children } = props
  const used = usedIn(group, query)
  return (
    <div class="filter filter-group">
      <details open={used > 0}>
        <summary>
          {group.name}
          {used > 0 && <span class="tag is-accent">{used}</span>}
        </summary>
        <div class="stack">{children}</div>
      </details>
    </div>
  )
}

function usedIn({ choices, ranges, flags }: Group, query: SearchQuery): number {
  const isBounded = ({ min, max }: SearchQuery['ranges']['weight']) =>
    min !== undefined || max !== undefined
  return [
    ...choices.filter((name) => name !== 'color' && query.choices[name].length > 0),
    ...ranges.filter((name) => isBounded(query.ranges[name])),
    ...flags.filter((name) => query.flags.includes(name)),
  ].length
}
