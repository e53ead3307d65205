import { t } from '../../language/language.ts'
import { useStore } from '../../lib/store.ts'
import type { SearchQuery } from '../query.ts'
import { columnsOf, layout, resizeColumn } from './layout.ts'

const STEP_PX = 8

/** The heads of the columns: they sort, and their right edges set the widths. */
export function TableHead(props: { query: SearchQuery; onChange: (query: SearchQuery) => void }) {
  const { query, onChange } = props
  const chosen = useStore(layout)
  const sortBy = (sort: string) => {
    const flips = query.sort === sort && query.order === 'asc'
    onChange({ ...query, sort, order: flips ? 'desc' : 'asc' })
  }
  return (
    <div class="stone-head" role="row" aria-rowindex={1}>
      <span role="columnheader" class="is-fixed">
        SKU
        <Resize id="sku" label="SKU" widthPx={chosen.skuPx} />
      </span>
      {columnsOf(chosen).map(({ id, label, sort, isEnd, widthPx }) => (
        <span
          key={id}
          role="columnheader"
          class={isEnd ? 'end' : ''}
          aria-sort={
            sort === query.sort ? (query.order === 'asc' ? 'ascending' : 'descending') : undefined
          }
        >
          {sort ? (
            <button type="button" onClick={() => sortBy(sort)}>
              {label}
              {sort === query.sort && (
                <span aria-hidden="true">{query.order === 'asc' ? '↑' : '↓'}</span>
              )}
            </button>
          ) : (
            label
          )}
          <Resize id={id} label={label} widthPx={widthPx} />
        </span>
      ))}
      <span role="columnheader" class="end">
        <span class="visually-hidden">{t('Basket')}</span>
      </span>
    </div>
  )
}

/** The edge of a column: dragged by the pointer, or moved with the arrow keys. */
function Resize({ id, label, widthPx }: { id: string; label: string; widthPx: number }) {
  const drag = (event: PointerEvent) => {
    event.preventDefault()
    const edge = event.currentTarget as HTMLElement
    const startX = event.clientX
    const move = (moved: PointerEvent) => resizeColumn(id, widthPx + moved.clientX - startX)
    edge.setPointerCapture(event.pointerId)
    edge.addEventListener('pointermove', move)
    const stop = () => edge.removeEventListener('pointermove', move)
    edge.addEventListener('pointerup', stop, { once: true })
    edge.addEventListener('pointercancel', stop, { once: true })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    resizeColumn(id, widthPx + (event.key === 'ArrowRight' ? STEP_PX : -STEP_PX))
  }
  return (
    <span
      class="resize"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('Width of {label}', { label })}
      aria-valuenow={widthPx}
      aria-valuemin={44}
      aria-valuemax={480}
      onPointerDown={drag}
      onKeyDown={press}
    />
  )
}
