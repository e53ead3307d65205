import type { Stone } from './api.ts'
import { h } from './dom.ts'
import { gradesOf, money, nameOf } from './facts.ts'
import { pictureOf } from './picture.ts'
import { text } from './texts.ts'

/** A stone in a list. The badge is a template's label, or that somebody has reserved it. */
export function cardOf(stone: Stone, label: string | null, choose: () => void): HTMLLIElement {
  const badge = label ?? (stone.on_hold ? text('onHold') : null)
  const hint = h('span', { class: 'hidden' }, `, ${text('details')}`)
  const button = h('button', { type: 'button', class: 'choose', on: { click: choose } })
  button.append(nameOf(stone), hint)
  return h(
    'li',
    {},
    h(
      'article',
      { class: 'card' },
      pictureOf(stone, 'card-picture', true),
      badge && h('span', { class: 'badge' }, badge),
      h(
        'div',
        { class: 'card-text' },
        h('p', { class: 'card-name' }, button),
        h('p', { class: 'card-grades' }, gradesOf(stone) || ' '),
        h(
          'p',
          { class: 'card-lab' },
          text(stone.type === 'mined' ? 'mined' : 'labGrown'),
          labOf(stone),
        ),
        h('p', { class: 'price' }, money(stone.retail_price, stone.currency_code)),
      ),
    ),
  )
}

function labOf({ lab }: Stone): string {
  return lab ? ` · ${lab}` : ''
}

/** Where stones will be, while they are loaded. */
export function waitingCards(count: number): HTMLElement {
  const cards = Array.from({ length: count }, () =>
    h(
      'li',
      {},
      h(
        'div',
        { class: 'card' },
        h('div', { class: 'card-picture' }),
        h(
          'div',
          { class: 'card-text' },
          h('span', { class: 'bar' }),
          h('span', { class: 'bar is-short' }),
        ),
      ),
    ),
  )
  return h('ul', { class: 'cards waiting', 'aria-hidden': 'true' }, ...cards)
}
