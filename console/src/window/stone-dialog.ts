import type { Stone } from './api.ts'
import { h } from './dom.ts'
import { stoneView } from './stone-view.ts'
import { text } from './texts.ts'

/** Opens a stone over the page. The browser keeps the focus inside and gives it back at the end. */
export function openStone(box: HTMLElement, stone: Stone, ...more: HTMLElement[]): void {
  const close = h('button', { type: 'button', class: 'button' }, text('close'))
  const dialog = h(
    'dialog',
    { 'aria-labelledby': 'dialog-title' },
    h(
      'div',
      { class: 'dialog-box' },
      h('div', { class: 'dialog-head' }, close),
      stoneView(stone, 'dialog-title', ...more),
    ),
  )
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    // Outside of its content: on what is behind it.
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => dialog.remove())
  box.append(dialog)
  dialog.showModal()
}
