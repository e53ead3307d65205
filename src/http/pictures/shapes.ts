import { Refusal } from '../../lib/refusal.ts'
import { drawLines } from '../../pictures/line-drawing.ts'
import { pngOf } from '../../pictures/png.ts'
import { rasterOf } from '../../pictures/raster.ts'
import { svgOf } from '../../pictures/svg.ts'
import { SHAPES, type Shape } from '../../reference/attributes.ts'
import { type App, publicAccess } from '../route.ts'

const config = { access: publicAccess, undocumented: true } as const
const SVG_SIZE = 120
const PNG_SIZE = 384

/** A drawing depends on its name only, so it may be cached forever. */
export const CACHE_FOREVER = 'public, max-age=31536000, immutable'
/** A picture that is opened by itself runs no scripts and loads nothing. */
export const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

/** `/shapes/round.svg` and `/shapes/round.png`, which `shape_icon_url` and others point to. */
export function registerShapes(app: App): void {
  const drawn = new Map<string, string | Buffer>()
  app.get('/shapes/:file', { config }, (request, reply) => {
    const { file } = request.params as { file: string }
    const drawing = readFileName(file)
    if (!drawing) throw new Refusal('not_found', `There is no drawing ${file}.`)
    let picture = drawn.get(file)
    if (picture === undefined) {
      picture = draw(drawing)
      drawn.set(file, picture)
    }
    reply.header('cache-control', CACHE_FOREVER).header('content-security-policy', PICTURE_POLICY)
    reply
      .header('content-type', drawing.form === 'svg' ? 'image/svg+xml' : 'image/png')
      .send(picture)
  })
}

interface Drawing {
  shape: Shape
  form: string
}

function readFileName(file: string): Drawing | undefined {
  const [name, form] = file.split('.')
  const shape = SHAPES.find((each) => each === name)
  return shape && (form === 'svg' || form === 'png') && file === `${name}.${form}`
    ? { shape, form }
    : undefined
}

function draw({ shape, form }: Drawing): string | Buffer {
  if (form === 'svg') return svgOf(drawLines(shape, SVG_SIZE), shape.replaceAll('_', ' '))
  return pngOf(rasterOf(drawLines(shape, PNG_SIZE)), PNG_SIZE, PNG_SIZE)
}
