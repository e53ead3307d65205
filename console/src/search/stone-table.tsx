import { useEffect, useRef, useState } from 'preact/hooks'
import type { Gem } from '../api/gems.ts'
import { carats, decimal, humanize, millimeters, money } from '../lib/format.ts'
import { ShapePicture } from '../parts/shape-picture.tsx'
import { BasketButton } from '../stones/buttons.tsx'
import { valueLabel } from '../stones/labels.ts'
import type { SearchQuery } from './query.ts'
import { PAGE_SIZE, type Pages } from './results.ts'

const ROW_PX = 44
/** Browsers draw nothing below about 17 million pixels, so a longer list is compressed. */
const HEIGHT_PX_MAX = 8_000_000
/** Rows above and below the visible ones that exist too, for smooth scrolling. */
const EXTRA_ROWS = 8

const COLUMNS: [label: string, sort: string | undefined, isEnd: boolean][] = [
  ['', undefined, false],
  ['SKU', undefined, false],
  ['Carat', 'weight', true],
  ['Color', 'color', false],
  ['Clarity', 'clarity', false],
  ['Cut', 'cut_grade', false],
  ['Table', 'table_percentage', true],
  ['Depth', 'depth_percentage', true],
  ['Lab', undefined, false],
  ['Size (mm)', undefined, false],
  ['Days', 'delivery_days_max', true],
  ['Wholesale', undefined, true],
  ['Retail', 'retail_price', true],
  ['', undefined, true],
]

/** A table of any length, in which only the visible rows exist. */
export function StoneTable(props: {
  total: number
  pages: Pages
  query: SearchQuery
  onChange: (query: SearchQuery) => void
}) {
  const { total, pages, query, onChange } = props
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 700 })
  const fullHeight = (total + 1) * ROW_PX
  const height = Math.min(fullHeight, HEIGHT_PX_MAX)
  // How many pixels of the full list one scrolled pixel stands for; above 1 when compressed.
  const ratio = height > view.height ? (fullHeight - view.height) / (height - view.height) : 1
  const first = Math.max(0, Math.floor((view.top * ratio) / ROW_PX) - EXTRA_ROWS)
  const last = Math.min(total, first + Math.ceil(view.height / ROW_PX) + 2 * EXTRA_ROWS)
  const shift = view.top + ROW_PX + (first * ROW_PX - view.top * ratio)

  useEffect(() => {
    for (let page = Math.floor(first / PAGE_SIZE); page * PAGE_SIZE < last; page++) pages.load(page)
  })
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      element.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [])
  const queryKey = JSON.stringify([
    query.choices,
    query.ranges,
    query.sort,
    query.order,
    query.flags,
  ])
  // A new search starts at the top.
  useEffect(() => {
    frame.current?.scrollTo({ top: 0 })
  }, [queryKey])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by key
    <div class="virtual" ref={frame} tabIndex={0} role="region" aria-label="Table of stones">
      <div
        class="virtual-space"
        role="table"
        aria-rowcount={total + 1}
        aria-label="Stones"
        style={{ height: `${height}px` }}
      >
        <div role="rowgroup">
          <TableHead query={query} onChange={onChange} />
        </div>
        <div class="virtual-rows" role="rowgroup" style={{ transform: `translateY(${shift}px)` }}>
          {Array.from({ length: last - first }, (_, offset) => (
            <StoneRow
              key={first + offset}
              index={first + offset}
              gem={pages.gemAt(first + offset)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function TableHead(props: { query: SearchQuery; onChange: (query: SearchQuery) => void }) {
  const { query, onChange } = props
  const sortBy = (sort: string) => {
    const flips = query.sort === sort && query.order === 'asc'
    onChange({ ...query, sort, order: flips ? 'desc' : 'asc' })
  }
  return (
    <div class="stone-head" role="row" aria-rowindex={1}>
      {COLUMNS.map(([label, sort, isEnd], index) => (
        <span
          key={index}
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
            label || <span class="visually-hidden">{index === 0 ? 'Shape' : 'Basket'}</span>
          )}
        </span>
      ))}
    </div>
  )
}

function StoneRow({ index, gem }: { index: number; gem: Gem | undefined }) {
  if (!gem) {
    return (
      <div class="stone-row is-waiting" role="row" aria-rowindex={index + 2}>
        {COLUMNS.map((_, column) => (
          <span key={column} role="cell">
            ·
          </span>
        ))}
      </div>
    )
  }
  const cells: [content: preact.ComponentChildren, isEnd?: boolean][] = [
    [<ShapePicture shape={gem.shape} ratio={gem.ratio} />],
    [<a href={`/stones/${gem.sku}`}>{gem.sku}</a>],
    [carats(gem.weight).replace(' ct', ''), true],
    [gem.color ? (gem.is_fancy ? valueLabel(gem.color) : gem.color) : '–'],
    [gem.clarity ?? '–'],
    [gem.cut_grade ?? '–'],
    [decimal(gem.table_percentage, 1), true],
    [decimal(gem.depth_percentage, 1), true],
    [gem.type === 'lab grown' ? `${gem.lab ?? '–'} · lab` : (gem.lab ?? '–')],
    [millimeters(gem.length, gem.width, gem.depth).replace(' mm', '')],
    [gem.delivery_days_max ?? '–', true],
    [money(gem.wholesale_price, gem.currency_code), true],
    [money(gem.retail_price, gem.currency_code), true],
  ]
  return (
    <div class="stone-row" role="row" aria-rowindex={index + 2}>
      {cells.map(([content, isEnd], column) => (
        <span key={column} role="cell" class={isEnd ? 'end' : ''}>
          {column === 0 && <span class="visually-hidden">{humanize(gem.shape)}</span>}
          {content}
        </span>
      ))}
      <span role="cell" class="tools">
        <BasketButton gem={gem} size="short" />
      </span>
    </div>
  )
}
