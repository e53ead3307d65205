import { useEffect, useRef, useState } from 'preact/hooks'
import type { Gem } from '../api/gem.ts'
import { carats, decimal, humanize, millimeters, money } from '../lib/format.ts'
import { ShapePicture } from '../parts/shape-picture.tsx'
import { BasketButton } from '../stones/buttons.tsx'
import { valueLabel } from './filter-chips.tsx'
import type { SearchQuery } from './query.ts'
import { PAGE_SIZE } from './results.ts'
import type { Pages } from './stone-cards.tsx'

const ROW_PX = 44
/** Browsers draw nothing below some 17 million pixels; a long list is squeezed into fewer. */
const SPACE_PX_MAX = 8_000_000
const SPARE_ROWS = 8

const COLUMNS: [label: string, sort: string | undefined, isEnd: boolean][] = [
  ['', undefined, false],
  ['SKU', undefined, false],
  ['Carat', 'weight', true],
  ['Colour', 'color', false],
  ['Clarity', 'clarity', false],
  ['Cut', 'cut_grade', false],
  ['Table', 'table_percentage', true],
  ['Depth', 'depth_percentage', true],
  ['Lab', undefined, false],
  ['Millimetres', undefined, false],
  ['Days', 'delivery_days_max', true],
  ['Wholesale', undefined, true],
  ['Retail', 'retail_price', true],
  ['', undefined, true],
]

/** A dense list of any length: only what is in sight exists. */
export function StoneTable(props: {
  total: number
  pages: Pages
  query: SearchQuery
  onChange: (query: SearchQuery) => void
}) {
  const { total, pages, query, onChange } = props
  const frame = useRef<HTMLDivElement>(null)
  const [sight, setSight] = useState({ top: 0, height: 700 })
  const full = (total + 1) * ROW_PX
  const space = Math.min(full, SPACE_PX_MAX)
  // How many pixels of the full list one pixel of scrolling stands for.
  const squeeze = space > sight.height ? (full - sight.height) / (space - sight.height) : 1
  const first = Math.max(0, Math.floor((sight.top * squeeze) / ROW_PX) - SPARE_ROWS)
  const last = Math.min(total, first + Math.ceil(sight.height / ROW_PX) + 2 * SPARE_ROWS)
  const shift = sight.top + ROW_PX + (first * ROW_PX - sight.top * squeeze)

  useEffect(() => {
    for (let page = Math.floor(first / PAGE_SIZE); page * PAGE_SIZE < last; page++) pages.want(page)
  })
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight })
    look()
    element.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      element.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [])
  const queryKey = JSON.stringify([
    query.choices,
    query.ranges,
    query.sort,
    query.order,
    query.flags,
  ])
  // Another query starts at the top.
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
        style={{ height: `${space}px` }}
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
