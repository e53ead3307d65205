import { get, type Stone } from './api.ts'
import { h } from './dom.ts'
import { WindowElement } from './element.ts'
import { enquiryForm } from './enquiry-form.ts'
import { stoneView } from './stone-view.ts'
import { text } from './texts.ts'

/** `<pavilion-stone key="…" sku="…">`: one stone, with a form to ask about it. */
export class PavilionStone extends WindowElement {
  static readonly observedAttributes = ['key', 'server', 'sku', 'currency', 'enquiry', 'theme']

  protected start(): void {
    const sku = this.getAttribute('sku') ?? ''
    this.box.replaceChildren(waitingStone())
    const currency = this.getAttribute('currency')
    const query = currency ? `?currency_code=${encodeURIComponent(currency)}` : ''
    get<Stone>(this.connect(), `/api/v3/inventory/gems/${encodeURIComponent(sku)}${query}`)
      .then((stone) => this.show(stone))
      .catch((error: unknown) => {
        const failure = this.failure(error, () => this.start())
        if (failure) this.box.replaceChildren(failure)
      })
  }

  private show(stone: Stone): void {
    this.box.replaceChildren(stoneView(stone, 'title', ...this.formFor(stone)))
  }

  private formFor({ sku }: Stone): HTMLElement[] {
    if (this.getAttribute('enquiry') === 'off') return []
    const options = { sku, connect: () => this.connectToSend() }
    return [enquiryForm({ ...options, tell: (enquiry) => this.tell('enquire', enquiry) })]
  }
}

function waitingStone(): HTMLElement {
  const bars = Array.from({ length: 8 }, () => h('span', { class: 'bar' }))
  return h(
    'div',
    { class: 'stone waiting', role: 'status', 'aria-label': text('loading') },
    h('div', { class: 'stone-picture card-picture' }),
    h('div', {}, ...bars),
  )
}
