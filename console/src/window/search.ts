import { post, type Stone, type StonePage } from './api.ts'
import { cardOf, waitingCards } from './card.ts'
import { h } from './dom.ts'
import { note, WindowElement } from './element.ts'
import { enquiryForm } from './enquiry-form.ts'
import { count, prepareNumbers } from './facts.ts'
import { type Choice, filterPanel, filtersFrom, selectOf } from './filters.ts'
import { openStone } from './stone-dialog.ts'
import { text } from './texts.ts'

const PAGE_SIZE = 24
/** More at once make the first stones wait. */
const PAGE_SIZE_MAX = 100
/** A visitor who types a number or chooses several shapes waits for one search. */
const PAUSE_MS = 250

const SORTS = new Map([
  ['price', { sort_col: 'retail_price', sort_order: 'asc' }],
  ['-price', { sort_col: 'retail_price', sort_order: 'desc' }],
  ['weight', { sort_col: 'weight', sort_order: 'asc' }],
  ['-weight', { sort_col: 'weight', sort_order: 'desc' }],
])

/** `<pavilion-search key="…">`: filters, and the stones that match them. */
export class PavilionSearch extends WindowElement {
  // biome-ignore format: a list of names
  static readonly observedAttributes = [
    'key', 'server', 'kind', 'shape', 'type', 'weight-min', 'weight-max', 'price-min', 'price-max',
    'sort', 'page-size', 'currency', 'enquiry', 'theme',
  ]

  private choice: Choice = this.chosenAtFirst()
  private sort = 'price'
  private pause: ReturnType<typeof setTimeout> | undefined
  private readonly total = h('p', { class: 'count', role: 'status', 'aria-live': 'polite' })
  private readonly results = h('div', { class: 'results' })
  private readonly foot = h('div', { class: 'foot' })

  protected start(): void {
    this.choice = this.chosenAtFirst()
    this.sort = SORTS.has(this.getAttribute('sort') ?? '')
      ? (this.getAttribute('sort') ?? '')
      : 'price'
    // The request first, so that the stones are on their way while the filters are drawn.
    void this.search()
    this.draw()
  }

  private draw(): void {
    const sort = selectOf(
      [
        ['price', text('priceUp')],
        ['-price', text('priceDown')],
        ['weight', text('caratUp')],
        ['-weight', text('caratDown')],
      ],
      this.sort,
      (value) => {
        this.sort = value
        void this.search()
      },
    )
    this.box.replaceChildren(
      filterPanel({
        choice: this.choice,
        currency: this.getAttribute('currency') ?? '',
        isGemstone: this.isGemstone,
        changed: () => this.searchSoon(),
      }),
      h(
        'div',
        { class: 'head' },
        this.total,
        h('label', { class: 'sort' }, h('span', { class: 'label' }, text('sort')), sort),
      ),
      this.results,
      this.foot,
    )
  }

  private get isGemstone(): boolean {
    return this.getAttribute('kind') === 'gemstone'
  }

  private chosenAtFirst(): Choice {
    const given = (name: string) => this.getAttribute(name) ?? ''
    return {
      shapes: given('shape')
        .split(/[\s,]+/)
        .filter(Boolean),
      type: given('type'),
      weightMin: given('weight-min'),
      weightMax: given('weight-max'),
      priceMin: given('price-min'),
      priceMax: given('price-max'),
      color: '',
      clarity: '',
      cut: '',
    }
  }

  private searchSoon(): void {
    clearTimeout(this.pause)
    this.pause = setTimeout(() => void this.search(), PAUSE_MS)
  }

  private async search(): Promise<void> {
    clearTimeout(this.pause)
    const loading = this.load({})
    this.results.setAttribute('aria-busy', 'true')
    // Stones that are shown stay until others replace them.
    if (!this.results.querySelector('.cards')) this.results.replaceChildren(waitingCards(8))
    prepareNumbers()
    try {
      const page = await loading
      const list = h('ul', { class: 'cards', role: 'list' })
      const isEmpty = page.total === 0
      this.total.textContent =
        page.total === 1 ? text('stonesOne') : text('stonesMany', { count: count(page.total) })
      this.results.replaceChildren(isEmpty ? this.nothing() : list)
      this.add(list, page)
    } catch (error) {
      const failure = this.failure(error, () => void this.search())
      if (!failure) return
      this.total.textContent = ''
      this.foot.replaceChildren()
      this.results.replaceChildren(failure)
    }
    this.results.removeAttribute('aria-busy')
  }

  private load(more: { cursor?: string }): Promise<StonePage> {
    const currency = this.getAttribute('currency')
    const asked = Number(this.getAttribute('page-size') ?? PAGE_SIZE)
    const limit = Math.min(PAGE_SIZE_MAX, Math.max(1, Math.floor(asked) || PAGE_SIZE))
    const kind = this.isGemstone ? 'gemstones/search' : 'diamonds/merchant_search'
    return post(this.connect(), `/api/v3/${kind}`, {
      filters: filtersFrom(this.choice, this.isGemstone),
      limit,
      ...SORTS.get(this.sort),
      ...(currency && { currency_code: currency }),
      ...more,
    })
  }

  private nothing(): HTMLElement {
    const clear = h('button', { type: 'button', class: 'button' }, text('clear'))
    clear.addEventListener('click', () => {
      this.choice = { ...emptyChoice(), shapes: [] }
      this.draw()
      void this.search()
    })
    return note(text('empty'), text('emptyHint'), clear)
  }

  /** Adds a page to the list, and below it the button for the next one. */
  private add(list: HTMLElement, { gems, next_cursor }: StonePage): void {
    list.append(...gems.map((stone) => cardOf(stone, null, () => this.choose(stone))))
    this.foot.replaceChildren()
    if (next_cursor === null) return
    const more = h('button', { type: 'button', class: 'button' }, text('more'))
    more.addEventListener('click', () => {
      more.disabled = true
      void this.addMore(list, next_cursor)
    })
    this.foot.replaceChildren(more)
  }

  private async addMore(list: HTMLElement, cursor: string): Promise<void> {
    try {
      const before = list.children.length
      this.add(list, await this.load({ cursor }))
      list.children[before]?.querySelector('button')?.focus()
    } catch (error) {
      const failure = this.failure(error, () => void this.search())
      if (failure) this.foot.replaceChildren(failure)
    }
  }

  private choose(stone: Stone): void {
    if (!this.tell('select', { sku: stone.sku, stone })) return
    const isOff = this.getAttribute('enquiry') === 'off'
    const form = enquiryForm({
      sku: stone.sku,
      connect: () => this.connectToSend(),
      tell: (enquiry) => this.tell('enquire', enquiry),
    })
    openStone(this.box, stone, ...(isOff ? [] : [form]))
  }
}

function emptyChoice(): Choice {
  const ends = { weightMin: '', weightMax: '', priceMin: '', priceMax: '' }
  return { shapes: [], type: '', ...ends, color: '', clarity: '', cut: '' }
}
