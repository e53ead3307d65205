import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Gem } from '../api/gems.ts'
import { t } from '../language/language.ts'
import { placeOf, rememberPlace } from '../lib/places.ts'
import { useStore } from '../lib/store.ts'
import { HoldDialog } from '../stones/hold-button.tsx'
import type { SearchQuery } from './query.ts'
import { PAGE_SIZE, type Pages } from './results.ts'
import { TableHead } from './table/head.tsx'
import { KeysDialog, useTableKeys } from './table/keys.tsx'
import { columnsOf, layout, ROW_PX } from './table/layout.ts'
import { StoneRow } from './table/row.tsx'
import { useSelection } from './table/selection.ts'
import { putIntoBasket, TableToolbar } from './table/toolbar.tsx'

/** Browsers draw nothing below about 17 million pixels, so a longer list is compressed. */
const HEIGHT_PX_MAX = 8_000_000
/** Rows above and below the visible ones that exist too, for smooth scrolling. */
const EXTRA_ROWS = 8
const BASKET_PX = 76

interface TableProps {
  total: number
  pages: Pages
  query: SearchQuery
  onChange: (query: SearchQuery) => void
}

/** The trading table: own columns, selected stones, and keys for everything. */
export function StoneTable({ total, pages, query, onChange }: TableProps) {
  const selection = useSelection(query, pages, total)
  const [active, setActive] = useState(-1)
  const [held, setHeld] = useState<Gem[]>()
  const [hasHelp, setHelp] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVisibleRows(frame, total, query)
  useEffect(() => {
    const { first, last } = rows
    for (let page = Math.floor(first / PAGE_SIZE); page * PAGE_SIZE < last; page++) pages.load(page)
  })
  /** The selected stones, or the one at which the keys are. */
  const meant = (): Gem[] => {
    const chosen = [...selection.gems.values()]
    const gem = pages.gemAt(active)
    return chosen.length > 0 || !gem ? chosen : [gem]
  }
  const move = (to: number) => {
    const next = Math.min(total - 1, Math.max(0, to))
    setActive(next)
    rows.show(next)
  }
  const withMeant = (act: (gems: Gem[]) => void) => {
    const gems = meant()
    if (gems.length > 0) act(gems)
  }
  useTableKeys({
    j: () => move(active + 1),
    k: () => move(active - 1),
    x: () => selection.toggle(active, false),
    X: () => selection.toggle(active, true),
    b: () => withMeant(putIntoBasket),
    h: () => withMeant(setHeld),
    '?': () => setHelp(true),
  })
  useEffect(() => {
    // The link of the row has the focus, so that Enter opens the stone and it is read aloud.
    const link = frame.current?.querySelector<HTMLElement>('.is-active a')
    link?.focus({ preventScroll: true })
  }, [active, rows.first])
  return (
    <>
      <TableToolbar
        selection={selection}
        total={total}
        onHold={setHeld}
        onHelp={() => setHelp(true)}
      />
      <TableFrame
        frame={frame}
        rows={rows}
        {...{ total, pages, query, onChange, selection, active }}
      />
      {held && (
        <HoldDialog
          gems={held}
          onClose={() => setHeld(undefined)}
          onDone={() => setHeld(undefined)}
        />
      )}
      {hasHelp && <KeysDialog onClose={() => setHelp(false)} />}
    </>
  )
}

type Rows = ReturnType<typeof useVisibleRows>

function TableFrame(
  props: TableProps & {
    frame: { current: HTMLDivElement | null }
    rows: Rows
    selection: ReturnType<typeof useSelection>
    active: number
  },
) {
  const { frame, rows, total, pages, query, onChange, selection, active } = props
  const chosen = useStore(layout)
  const columns = columnsOf(chosen)
  const widths = [chosen.skuPx, ...columns.map(({ widthPx }) => widthPx)]
  const style = {
    height: `${rows.height}px`,
    '--row': `${rows.rowPx}px`,
    '--columns': `${widths.map((width) => `${width}px`).join(' ')} minmax(${BASKET_PX}px, 1fr)`,
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by key
    <div class="virtual" ref={frame} tabIndex={0} role="region" aria-label={t('Table of stones')}>
      <div
        class={chosen.density === 'compact' ? 'virtual-space is-compact' : 'virtual-space'}
        role="table"
        aria-rowcount={total + 1}
        aria-label={t('Stones')}
        style={style}
      >
        <div class="virtual-head" role="rowgroup">
          <TableHead query={query} onChange={onChange} />
        </div>
        <div
          class="virtual-rows"
          role="rowgroup"
          style={{ transform: `translateY(${rows.shift}px)` }}
        >
          {Array.from({ length: rows.last - rows.first }, (_, offset) => {
            const index = rows.first + offset
            const gem = pages.gemAt(index)
            return (
              <StoneRow
                key={index}
                index={index}
                gem={gem}
                columns={columns}
                isSelected={gem !== undefined && selection.gems.has(gem.sku)}
                isActive={index === active}
                onToggle={selection.toggle}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Which rows are in sight, and how far the list is scrolled. */
function useVisibleRows(
  frame: { current: HTMLDivElement | null },
  total: number,
  query: SearchQuery,
) {
  const rowPx = ROW_PX[useStore(layout).density]
  const [view, setView] = useState({ top: 0, height: 700 })
  const fullHeight = (total + 1) * rowPx
  const height = Math.min(fullHeight, HEIGHT_PX_MAX)
  // How many pixels of the full list one scrolled pixel stands for; above 1 when compressed.
  const ratio = height > view.height ? (fullHeight - view.height) / (height - view.height) : 1
  const first = Math.max(0, Math.floor((view.top * ratio) / rowPx) - EXTRA_ROWS)
  const last = Math.min(total, first + Math.ceil(view.height / rowPx) + 2 * EXTRA_ROWS)
  const shift = view.top + rowPx + (first * rowPx - view.top * ratio)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => {
      setView({ top: element.scrollTop, height: element.clientHeight })
      rememberPlace('table', element.scrollTop)
    }
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      element.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [])
  const { choices, ranges, sort, order, flags } = query
  const queryKey = JSON.stringify([choices, ranges, sort, order, flags])
  // A new search starts at the top; one that was left before, where it was left.
  useLayoutEffect(() => {
    frame.current?.scrollTo({ top: placeOf('table') ?? 0 })
  }, [queryKey])
  /** Scrolls as little as brings a row into sight, below the head. */
  const show = (index: number) => {
    const element = frame.current
    if (!element) return
    const top = element.scrollTop * ratio
    const above = index * rowPx
    const below = above + 2 * rowPx - element.clientHeight
    if (above < top) element.scrollTo({ top: above / ratio })
    else if (below > top) element.scrollTo({ top: below / ratio })
  }
  return { rowPx, height, first, last, shift, show }
}
