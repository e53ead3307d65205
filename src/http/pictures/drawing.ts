import { DEMO_FRAME_COUNT, type DemoPicture } from '../../pictures/demo-names.ts'
import { drawBottom, drawFrame, drawTop, drawTurning } from '../../pictures/demo-pictures.ts'
import { drawPiece, type Piece } from '../../pictures/jewelry-picture.ts'
import { drawLines } from '../../pictures/line-drawing.ts'
import { pngOf } from '../../pictures/png.ts'
import { rasterOf } from '../../pictures/raster.ts'
import { svgOf } from '../../pictures/svg.ts'
import type { Shape } from '../../reference/attributes.ts'

/** What a picture shows. */
export type Drawing =
  | { kind: 'shape'; shape: Shape; form: 'svg' | 'png' }
  | { kind: 'top' | 'bottom' | 'turn'; picture: DemoPicture }
  | { kind: 'frame'; picture: DemoPicture; frame: number }
  | { kind: 'piece'; piece: Piece; isTurning: boolean }

const SHAPE_SVG_SIZE = 120
const SHAPE_PNG_SIZE = 384

const VIEWS = { top: drawTop, bottom: drawBottom, turn: drawTurning } as const

export function draw(drawing: Drawing): string | Uint8Array {
  if (drawing.kind === 'shape') return drawShape(drawing.shape, drawing.form)
  if (drawing.kind === 'piece') return drawPiece(drawing.piece, drawing.isTurning)
  const { picture } = drawing
  if (drawing.kind === 'frame') return drawFrame(picture, drawing.frame, DEMO_FRAME_COUNT)
  return VIEWS[drawing.kind](picture)
}

function drawShape(shape: Shape, form: 'svg' | 'png'): string | Uint8Array {
  if (form === 'svg') return svgOf(drawLines(shape, SHAPE_SVG_SIZE), shape.replaceAll('_', ' '))
  return pngOf(rasterOf(drawLines(shape, SHAPE_PNG_SIZE)), SHAPE_PNG_SIZE, SHAPE_PNG_SIZE)
}
