import { CallError, type Connection, SERVER } from './api.ts'
import { h } from './dom.ts'
import { sheets } from './styles.ts'
import { TEXTS_CHANGED, text } from './texts.ts'
import { lookOf, SYSTEM_DARK } from './theme.ts'

/** What all elements share: the key, the look, loading, and what is shown when a call fails. */
export abstract class WindowElement extends HTMLElement {
  /** Everything visible is inside it; it carries the light or dark look. */
  protected readonly box = h('div', { class: 'box' })
  private running: AbortController | undefined
  /** An element that the page had before the script hears of its attributes first. */
  private hasStarted = false
  private readonly restart = () => this.start()
  private readonly look = () => {
    const { isDark, isPainted } = lookOf(this)
    this.box.classList.toggle('is-dark', isDark)
    this.box.classList.toggle('is-painted', isPainted)
  }

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    // Constructed sheets need no permission in the content security policy of the page.
    root.adoptedStyleSheets = sheets()
    root.append(this.box)
  }

  connectedCallback(): void {
    this.look()
    SYSTEM_DARK.addEventListener('change', this.look)
    document.addEventListener(TEXTS_CHANGED, this.restart)
    this.hasStarted = true
    this.start()
  }

  disconnectedCallback(): void {
    SYSTEM_DARK.removeEventListener('change', this.look)
    document.removeEventListener(TEXTS_CHANGED, this.restart)
    this.running?.abort()
    this.hasStarted = false
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.hasStarted || before === after) return
    if (name === 'theme') this.look()
    else this.start()
  }

  /** Draws everything again, and loads it. */
  protected abstract start(): void

  /** How to call the server. The call before it, if it still runs, is of no use any more. */
  protected connect(): Connection {
    this.running?.abort()
    this.running = new AbortController()
    return this.connection(this.running)
  }

  /** The same for what a visitor sends: no later call, and no removal of the element, ends it. */
  protected connectToSend(): Connection {
    return this.connection(new AbortController())
  }

  private connection({ signal }: AbortController): Connection {
    const server = this.getAttribute('server')?.replace(/\/$/, '') ?? SERVER
    return { server, key: this.getAttribute('key') ?? '', signal }
  }

  /** Tells the page. Returns whether the page leaves the rest to the element. */
  protected tell(name: 'select' | 'enquire', detail: unknown): boolean {
    const options = { detail, bubbles: true, composed: true, cancelable: true }
    return this.dispatchEvent(new CustomEvent(`pavilion:${name}`, options))
  }

  /** What is shown instead of stones. Undefined for a call that was given up. */
  protected failure(error: unknown, again: () => void): HTMLElement | undefined {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    const isGone = error instanceof CallError && error.status === 404
    if (isGone) return note(text('gone'), text('goneHint'))
    // For the developer of the page; a visitor cannot do anything about it.
    console.error(`pavilion: ${error instanceof Error ? error.message : String(error)}`)
    const button = h('button', { type: 'button', class: 'button', on: { click: again } })
    button.append(text('again'))
    return note(text('failed'), text('failedHint'), button)
  }
}

/** A sentence in the place of stones, read aloud when it appears. */
export function note(title: string, hint: string, ...more: HTMLElement[]): HTMLElement {
  return h(
    'div',
    { class: 'note', role: 'status' },
    h('p', { class: 'note-title' }, title),
    h('p', {}, hint),
    ...more,
  )
}
