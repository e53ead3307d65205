import { SHAPES, type Shape } from '../reference/attributes.ts'

/**
 * Pavilion draws the media of the demo market itself. The name of a picture says everything that it
 * shows, `oval-142-F` (shape, ratio in hundredths, colour or hue), so the server needs no look-up,
 * and stones that look alike share one cached picture:
 *
 *     /media/demo/top/oval-142-F.svg         image_top_url
 *     /media/demo/bottom/oval-142-F.svg      image_bottom_url
 *     /media/demo/turn/oval-142-F.svg        video_url: the stone turning
 *     /media/demo/view/oval-142-F.html       ux_url: the 360 viewer
 *     /media/demo/frames/oval-142-F/0.svg    below v360_json_base_url, frames 0 to 35
 *     /media/demo/certificates/2201234567.svg  cert_url
 */
export const DEMO_MEDIA_PATH = '/media/demo'
export const DEMO_FRAME_COUNT = 36
/**
 * A demo market fills an empty one, so its stones come first, and most of them have a picture: so
 * many of the first stones tell whether a market is one.
 */
export const DEMO_STONES_CHECKED = 200

/** No stone is cut wider or longer than this. */
const RATIO_MIN = 0.5
const RATIO_MAX = 4

export interface DemoPicture {
  shape: Shape
  ratio: number
  /** A colour grade, a hue, or the name of a gemstone's colour. */
  color: string
}

export function demoPictureName(shape: Shape, ratio: number, color: string): string {
  return `${shape}-${Math.round(ratio * 100)}-${color.replaceAll(' ', '_')}`
}

/** Parses the name of a picture; undefined if no demo stone can have it. */
export function findDemoPicture(name: string): DemoPicture | undefined {
  const match = /^([a-z_]{3,20})-(\d{2,4})-([A-Za-z_]{1,24})$/.exec(name)
  if (!match || !(SHAPES as readonly string[]).includes(match[1])) return undefined
  const ratio = Number(match[2]) / 100
  if (ratio < RATIO_MIN || ratio > RATIO_MAX) return undefined
  return { shape: match[1] as Shape, ratio, color: match[3].replaceAll('_', ' ') }
}
