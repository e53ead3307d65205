import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { PagedExport, type PagedList, PagedRows } from '../parts/table/paged-list.tsx'

/** The imports so far, below the place where a file is dropped. */
export function ImportHistory<Row>(props: {
  list: PagedList<Row>
  columns: readonly (readonly [label: string, value: (row: Row) => Cell])[]
  filters: ComponentChildren
  /** The table. */
  children: ComponentChildren
}) {
  const { list, columns } = props
  return (
    <section class="stack" style={{ marginTop: '28px' }} aria-labelledby="history">
      <div class="row">
        <h2 id="history">{t('History')}</h2>
        {list.total !== undefined && <span class="muted">{plural(list.total, 'import')}</span>}
        {props.filters}
        <PagedExport list={list} name={t('imports.csv')} columns={columns} />
      </div>
      <PagedRows list={list} empty={t('No imports yet')}>
        {props.children}
      </PagedRows>
    </section>
  )
}
