import type { Stone } from './api.ts'
import { h, inTurn } from './dom.ts'
import { nameOf, shapeDrawing } from './facts.ts'

/** The picture of a stone, or a drawing of its shape where there is none or it does not load. */
export function pictureOf(stone: Stone, className: string, isLazy: boolean): HTMLElement {
  const { image_top_url, image_bottom_url, shape } = stone
  const url = image_top_url ?? image_bottom_url
  const frame = h('div', { class: className })
  // The words of the stones come first.
  const draw = () => inTurn([() => frame.replaceChildren(shapeDrawing(shape) ?? '')])
  if (url === null || !/^https?:/.test(url)) draw()
  else {
    const loading = isLazy ? 'lazy' : 'eager'
    const size = { width: 400, height: 400, decoding: 'async', loading }
    frame.append(h('img', { src: url, alt: `${nameOf(stone)}`, ...size, on: { error: draw } }))
  }
  return frame
}
