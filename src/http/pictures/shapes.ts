import { Refusal } from '../../lib/refusal.ts'
import { SHAPES } from '../../reference/attributes.ts'
import { type App, publicAccess } from '../route.ts'
import type { Drawing } from './drawing.ts'
import type { Drawings } from './drawings.ts'
import { sendPicture } from './send-picture.ts'

const config = { access: publicAccess, undocumented: true } as const

/** `/shapes/round.svg` and `/shapes/round.png`, which `shape_icon_url` and others point to. */
export function registerShapes(app: App, drawings: Drawings): void {
  app.get('/shapes/:file', { config }, async (request, reply) => {
    const { file } = request.params as { file: string }
    const drawing = readFileName(file)
    if (!drawing) throw new Refusal('not_found', `There is no drawing ${file}.`)
    const drawn = await drawings.get(`shapes/${file}`, drawing)
    return sendPicture(request, reply, drawn, file.endsWith('.png') ? 'image/png' : 'image/svg+xml')
  })
}

function readFileName(file: string): Drawing | undefined {
  const [name, form] = file.split('.')
  const shape = SHAPES.find((each) => each === name)
  return shape && (form === 'svg' || form === 'png') && file === `${name}.${form}`
    ? { kind: 'shape', shape, form }
    : undefined
}
