import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Gem } from '../../api/gems.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { isCustomerView } from '../../lib/customer-view.ts'
import { useStore } from '../../lib/store.ts'
import { HoldDialog } from '../../stones/hold-button.tsx'
import type { Pages } from '../pages.ts'
import type { SearchQuery } from '../query.ts'
import type { Column } from './columns.ts'
import { TableHead } from './head.tsx'
import { KeysDialog, useTableKeys } from './keys.tsx'
import { columnsOf, layout } from './layout.ts'
import { StoneRow } from './row.tsx'
import { useSelection } from './selection.ts'
import { putIntoBasket, TableToolbar } from './toolbar.tsx'
import { useVisibleRows, type VisibleRows } from './visible-rows.ts'

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
  useEffect(() => pages.load(rows.first, rows.last))
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
    b: () => hasToolsFor('orders:write') && withMeant(putIntoBasket),
    h: () => hasToolsFor('inventory') && withMeant(setHeld),
    '?': () => setHelp(true),
  })
  useEffect(() => {
    // The link of the row has the focus, so that Enter opens the stone and it is read aloud.
    const link = frame.current?.querySelector<HTMLElement>('.is-active a')
    link?.focus({ preventScroll: true })
  }, [active, rows.first])
  return (
    <>
      {!isCustomerView && (
        <TableToolbar
          selection={selection}
          total={total}
          onHold={setHeld}
          onHelp={() => setHelp(true)}
        />
      )}
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

/** The keys do nothing that there is no button for. */
function hasToolsFor(scope: string): boolean {
  return !isCustomerView && mayDo(scope)
}

function TableFrame(
  props: TableProps & {
    frame: { current: HTMLDivElement | null }
    rows: VisibleRows
    selection: ReturnType<typeof useSelection>
    active: number
  },
) {
  const { frame, rows, total, pages, query, onChange, selection, active } = props
  const chosen = useStore(layout)
  const columns = useMemo(() => columnsOf(chosen), [chosen])
  const drawn = useDrawnRows({ rows, pages, columns, selection, active })
  const widths = [chosen.skuPx, ...columns.map(({ widthPx }) => widthPx)]
  const style = {
    height: `${rows.heightPx}px`,
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
          style={{ transform: `translateY(${rows.shiftPx}px)` }}
        >
          {drawn}
        </div>
      </div>
    </div>
  )
}

/** What a row shows. */
interface RowState {
  gem: Gem | undefined
  columns: readonly Column[]
  isSelected: boolean
  isActive: boolean
}

interface Drawn extends RowState {
  row: ComponentChildren
}

/** Scrolling by a row draws one row: those that stay as they are are not even compared. */
function useDrawnRows(props: {
  rows: VisibleRows
  pages: Pages
  columns: readonly Column[]
  selection: ReturnType<typeof useSelection>
  active: number
}): ComponentChildren[] {
  const { rows, pages, columns, selection, active } = props
  const before = useRef(new Map<number, Drawn>())
  const toggle = useRef(selection.toggle)
  toggle.current = selection.toggle
  const drawn = new Map<number, Drawn>()
  for (let index = rows.first; index < rows.last; index++) {
    const gem = pages.gemAt(index)
    const state = {
      gem,
      columns,
      isSelected: gem !== undefined && selection.gems.has(gem.sku),
      isActive: index === active,
    }
    const old = before.current.get(index)
    const onToggle: typeof selection.toggle = (...stone) => toggle.current(...stone)
    const row = <StoneRow key={index} index={index} onToggle={onToggle} {...state} />
    drawn.set(index, old && isSame(old, state) ? old : { ...state, row })
  }
  before.current = drawn
  return [...drawn.values()].map(({ row }) => row)
}

function isSame(one: RowState, other: RowState): boolean {
  return (
    one.gem === other.gem &&
    one.columns === other.columns &&
    one.isSelected === other.isSelected &&
    one.isActive === other.isActive
  )
}
