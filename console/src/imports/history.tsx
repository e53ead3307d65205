import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { useLocation } from '../lib/router.ts'
import type { Cell } from '../lib/workbook.ts'
import { PagedExport, type PagedList, PagedRows } from '../parts/table/paged-list.tsx'
import { TextSearch } from '../parts/table/text-search.tsx'
import { StatusFilter } from './filters.tsx'

/** The imports so far: filtered, sorted, selected and saved as every list. */
export function ImportHistory<Row>(props: {
  list: PagedList<Row>
  columns: readonly (readonly [label: string, value: (row: Row) => Cell])[]
  statuses: readonly string[]
  /** More filters. */
  filters?: ComponentChildren
  /** What can be done when there are none. */
  whenEmpty?: ComponentChildren
  /** The table. */
  children: ComponentChildren
}) {
  const { list, columns, statuses } = props
  const { params } = useLocation()
  const isFiltered = ['q', 'status', 'supplier'].some((name) => params.has(name))
  const isEmpty = list.total === 0 && !isFiltered
  return (
    <section class="stack history" aria-labelledby="history">
      <div class="row">
        <h2 id="history">{t('History')}</h2>
        {list.total !== undefined && <span class="muted">{plural(list.total, 'import')}</span>}
        {!isEmpty && props.filters}
        {!isEmpty && <StatusFilter statuses={statuses} />}
        <PagedExport list={list} name={t('imports.csv')} columns={columns} />
      </div>
      {!isEmpty && <TextSearch label={t('Search by file name')} />}
      <PagedRows
        list={list}
        empty={isEmpty ? t('No imports yet') : t('No imports found')}
        whenEmpty={isEmpty && props.whenEmpty}
      >
        {props.children}
      </PagedRows>
    </section>
  )
}
