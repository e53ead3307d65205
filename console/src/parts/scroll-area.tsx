import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Scrolls sideways what may be wider than the page, such as a table, also with the keyboard. */
export function ScrollArea(props: {
  label: string
  class?: string
  /** Whether the cells of a row stand below each other on a phone, with the heads before them. */
  isStacked?: boolean
  children: ComponentChildren
}) {
  const { class: kind = 'panel wide-scroll', isStacked } = props
  const area = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isStacked && area.current) nameCells(area.current)
  })
  return (
    <section
      ref={area}
      class={isStacked ? `${kind} is-stacked` : kind}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
      tabIndex={0}
      aria-label={props.label}
    >
      {props.children}
    </section>
  )
}

/** Gives each cell the head of its column; the first one names the row and needs none. */
function nameCells(area: HTMLElement): void {
  const heads = [...area.querySelectorAll('thead tr > *')].map(({ textContent }) => textContent)
  for (const row of area.querySelectorAll<HTMLTableRowElement>('tbody tr')) {
    for (const cell of row.cells) cell.dataset.head = heads[cell.cellIndex] ?? ''
  }
}
