import type { Shape } from '../reference/attributes.ts'
import type { DemoPicture } from './demo-names.ts'
import { cutStone, type Facet } from './facets.ts'
import { tintOf } from './stone-tint.ts'
import { groupOf, svgFrame, svgOf } from './svg.ts'
import { viewStone } from './view.ts'

const SIZE = 480
const TILT = 38
const ANIMATION_FRAMES = 18
const ANIMATION_SECONDS = 6

/** Draws the stone from above. */
export function drawTop({ shape, ratio, color }: DemoPicture): string {
  const view = { size: SIZE, turn: 0, tilt: 0, tint: tintOf(color) }
  return svgOf(viewStone(cutStone(shape, { ratio }), view), `${titleOf(shape, color)} from above`)
}

/** Draws the stone from below, that is, lying on its table. */
export function drawBottom({ shape, ratio, color }: DemoPicture): string {
  const view = { size: SIZE, turn: 0, tilt: 0, tint: tintOf(color) }
  const turned = turnOver(cutStone(shape, { ratio }))
  return svgOf(viewStone(turned, view), `${titleOf(shape, color)} from below`)
}

/** Draws one of `count` frames of the turning stone. */
export function drawFrame(picture: DemoPicture, frame: number, count: number): string {
  return svgOf(sceneAt(picture, (frame / count) * 360), titleOf(picture.shape, picture.color))
}

/** Draws the turning stone as one SVG that is animated without a script. */
export function drawTurning(picture: DemoPicture): string {
  const frames = Array.from({ length: ANIMATION_FRAMES }, (_, frame) => {
    const scene = sceneAt(picture, (frame / ANIMATION_FRAMES) * 360)
    const values = Array.from({ length: ANIMATION_FRAMES }, (_, at) =>
      at === frame ? 'visible' : 'hidden',
    )
    const hidden = frame === 0 ? '' : ' visibility="hidden"'
    return (
      `<g${hidden}><animate attributeName="visibility" calcMode="discrete" ` +
      `values="${values.join(';')}" dur="${ANIMATION_SECONDS}s" repeatCount="indefinite"/>` +
      `${groupOf(scene)}</g>`
    )
  })
  const title = `${titleOf(picture.shape, picture.color)}, turning`
  return svgFrame({ width: SIZE, height: SIZE }, title, frames.join(''))
}

function sceneAt({ shape, ratio, color }: DemoPicture, turn: number) {
  const view = { size: SIZE, turn, tilt: TILT, tint: tintOf(color) }
  return viewStone(cutStone(shape, { ratio }), view)
}

function turnOver(facets: Facet[]): Facet[] {
  return facets.map(({ part, points }) => ({
    part,
    points: points.map(([x, y, z]) => [-x, y, -z]),
  }))
}

function titleOf(shape: Shape, color: string): string {
  return `A ${shape.replaceAll('_', ' ')} stone, colour ${color}`
}
