/** Builds elements without a framework, and without markup in strings: nothing needs escaping. */

type Child = Node | string | number | null | undefined | false

type Listeners = Record<string, (event: Event) => void>

interface Properties {
  class?: string
  /** Listeners by the name of their event. */
  on?: Listeners
  [attribute: string]: string | number | boolean | null | undefined | Listeners
}

/** `h('p', { class: 'price' }, '$1')`. What is false, null or undefined is left out. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { on = {}, ...attributes }: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue
    if (typeof value === 'object') continue
    element.setAttribute(attribute, value === true ? '' : String(value))
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener)
  element.append(...children.filter(isShown).map(textOf))
  return element
}

function isShown(child: Child): child is Node | string | number {
  return child !== null && child !== undefined && child !== false
}

function textOf(child: Node | string | number): Node | string {
  return typeof child === 'number' ? String(child) : child
}

const SVG = 'http://www.w3.org/2000/svg'

export interface DrawnPath {
  d: string
  /** The width of its line. */
  width: number
}

/** A drawing in the color of the text around it. */
export function drawing(size: number, paths: readonly DrawnPath[]): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`)
  svg.setAttribute('aria-hidden', 'true')
  for (const { d, width } of paths) {
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('d', d)
    path.setAttribute('stroke-width', String(width))
    svg.append(path)
  }
  return svg
}

const IDLE_MS_MAX = 1_000

/** Runs each work when the page has nothing else to do, at the latest after a second. */
export function inTurn([next, ...others]: readonly (() => void)[]): void {
  if (!next) return
  const run = () => {
    next()
    inTurn(others)
  }
  // Some browsers do not say when they are idle.
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: IDLE_MS_MAX })
  else setTimeout(run)
}
