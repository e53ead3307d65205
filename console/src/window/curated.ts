import { type CuratedStone, post, type Stone } from './api.ts'
import { cardOf, waitingCards } from './card.ts'
import { h } from './dom.ts'
import { note, WindowElement } from './element.ts'
import { enquiryForm } from './enquiry-form.ts'
import { words } from './facts.ts'
import { selectOf } from './filters.ts'
import { openStone } from './stone-dialog.ts'
import { text } from './texts.ts'

// biome-ignore format: a list of names
const SHAPES = [
  'round', 'oval', 'cushion', 'princess', 'emerald', 'pear', 'radiant', 'marquise', 'asscher',
  'heart',
]
const PAUSE_MS = 400

/** `<pavilion-curated key="…" weight="1" shape="round">`: one stone for each template. */
export class PavilionCurated extends WindowElement {
  // biome-ignore format: a list of names
  static readonly observedAttributes = [
    'key', 'server', 'weight', 'shape', 'type', 'group', 'currency', 'enquiry', 'theme',
  ]

  private weight = '1'
  private shape = 'round'
  private type = ''
  private pause: ReturnType<typeof setTimeout> | undefined
  private readonly results = h('div', { class: 'results', 'aria-live': 'polite' })

  protected start(): void {
    this.weight = this.getAttribute('weight') ?? '1'
    this.shape = this.getAttribute('shape') ?? 'round'
    this.type = this.getAttribute('type') ?? ''
    this.box.replaceChildren(this.controls(), this.results)
    void this.search()
  }

  private controls(): HTMLElement {
    const weight = h('input', {
      class: 'input',
      type: 'number',
      inputmode: 'decimal',
      min: 0.1,
      max: 100,
      step: 0.01,
      value: this.weight,
    })
    weight.addEventListener('input', () => {
      this.weight = weight.value
      this.searchSoon()
    })
    const change = (write: (value: string) => void) => (value: string) => {
      write(value)
      void this.search()
    }
    const shapes = SHAPES.map((shape) => [shape, words(shape)] as const)
    const types = [
      ['', text('anyKind')],
      ['mined', text('mined')],
      ['lab grown', text('labGrown')],
    ] as const
    const labelled = (label: string, field: HTMLElement) =>
      h('label', {}, h('span', { class: 'label' }, label), field)
    return h(
      'div',
      { class: 'filters', role: 'group', 'aria-label': text('filters') },
      h(
        'div',
        { class: 'fields' },
        labelled(text('weight'), weight),
        labelled(
          text('shapes'),
          selectOf(
            shapes,
            this.shape,
            change((value) => (this.shape = value)),
          ),
        ),
        labelled(
          text('kind'),
          selectOf(
            types,
            this.type,
            change((value) => (this.type = value)),
          ),
        ),
      ),
    )
  }

  private searchSoon(): void {
    clearTimeout(this.pause)
    this.pause = setTimeout(() => void this.search(), PAUSE_MS)
  }

  private async search(): Promise<void> {
    clearTimeout(this.pause)
    const weight = Number(this.weight)
    if (!(weight > 0)) return
    const [currency, group] = [this.getAttribute('currency'), this.getAttribute('group')]
    this.results.setAttribute('aria-busy', 'true')
    if (!this.results.querySelector('.cards')) this.results.replaceChildren(waitingCards(4))
    try {
      const stones = await post<CuratedStone[]>(
        this.connect(),
        '/api/v3/diamonds/get_diamonds_by_merchant_templates',
        {
          weight: Math.round(weight * 100) / 100,
          shape: this.shape,
          types: this.type === '' ? ['mined', 'lab grown'] : [this.type],
          ...(currency && { currency_code: currency }),
          ...(group && { merchant_template_filters: { group } }),
        },
      )
      this.results.replaceChildren(this.listOf(stones))
    } catch (error) {
      const failure = this.failure(error, () => void this.search())
      if (!failure) return
      this.results.replaceChildren(failure)
    }
    this.results.removeAttribute('aria-busy')
  }

  private listOf(stones: CuratedStone[]): HTMLElement {
    if (stones.length === 0) return note(text('emptyCurated'), text('emptyCuratedHint'))
    const cards = stones.map((curated) => {
      // A curated stone has the fields of version 2; those of version 3 are not known.
      const stone = curated as unknown as Stone
      const label = curated.merchant_template_label
      return cardOf(stone, label && words(label.toLowerCase()), () => this.choose(stone))
    })
    return h('ul', { class: 'cards', role: 'list' }, ...cards)
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
