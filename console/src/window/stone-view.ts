import type { Stone } from './api.ts'
import { h } from './dom.ts'
import { factsOf, gradesOf, money, nameOf } from './facts.ts'
import { pictureOf } from './picture.ts'
import { text } from './texts.ts'

/** Everything about one stone, and below it what the caller adds: the form. */
export function stoneView(stone: Stone, titleId: string, ...more: HTMLElement[]): HTMLElement {
  const rows = factsOf(stone).map(([label, value]) =>
    h('div', {}, h('dt', {}, label), h('dd', {}, value)),
  )
  return h(
    'div',
    { class: 'stone' },
    pictureOf(stone, 'stone-picture', false),
    h(
      'div',
      { class: 'stone-text' },
      h('h2', { class: 'stone-name', id: titleId }, nameOf(stone)),
      h('p', { class: 'stone-grades' }, gradesOf(stone)),
      h('p', { class: 'price' }, money(stone.retail_price, stone.currency_code)),
      h('dl', { class: 'facts', 'aria-label': text('facts') }, ...rows, certificateRow(stone)),
      linksOf(stone),
      ...more,
    ),
  )
}

function certificateRow({ lab, cert_num, cert_url }: Stone): HTMLElement | null {
  const number = [lab, cert_num].filter(Boolean).join(' ')
  if (number === '') return null
  const value = isLink(cert_url) ? outside(cert_url, number) : number
  return h('div', {}, h('dt', {}, text('certificate')), h('dd', {}, value))
}

function linksOf({ ux_url }: Stone): HTMLElement | null {
  return isLink(ux_url) ? h('p', { class: 'links' }, outside(ux_url, text('view'))) : null
}

function isLink(url: string | null): url is string {
  return url !== null && /^https?:/.test(url)
}

function outside(href: string, words: string): HTMLAnchorElement {
  return h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, words)
}
