import { hash } from 'node:crypto'
import { SHAPES, type Shape } from '../reference/attributes.ts'

/**
 * The demo market's media are drawn by Pavilion itself. A picture's name says all that it shows,
 * `oval-142-F` (shape, ratio in hundredths, colour or hue), so the server needs no look-up, and
 * alike stones share one cached picture:
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

export interface DemoPicture {
  shape: Shape
  ratio: number
  /** A colour grade, a hue, or a gemstone's colour word. */
  color: string
}

export function demoPictureName(shape: Shape, ratio: number, color: string): string {
  return `${shape}-${Math.round(ratio * 100)}-${color.replaceAll(' ', '_')}`
}

/** The picture that a name asks for, or undefined when no demo stone has such a name. */
export function findDemoPicture(name: string): DemoPicture | undefined {
  const match = /^([a-z_]{3,20})-(\d{2,4})-([A-Za-z_]{1,24})$/.exec(name)
  if (!match || !(SHAPES as readonly string[]).includes(match[1])) return undefined
  const color = match[3].replaceAll('_', ' ')
  return { shape: match[1] as Shape, ratio: Number(match[2]) / 100, color }
}

export interface MediaFields {
  image_top_url: string | null
  image_bottom_url: string | null
  video_url: string | null
  ux_url: string | null
  v360_json_base_url: string | null
  v360_info: string | null
}

export const NO_MEDIA: MediaFields = {
  image_top_url: null,
  image_bottom_url: null,
  video_url: null,
  ux_url: null,
  v360_json_base_url: null,
  v360_info: null,
}

/** Media of a stone, from none (0) over a picture (1) and a video (2) to the 360 view (3). */
export function mediaOf(publicUrl: string, name: string, level: 0 | 1 | 2 | 3): MediaFields {
  if (level === 0) return NO_MEDIA
  const base = `${publicUrl}${DEMO_MEDIA_PATH}`
  return {
    image_top_url: `${base}/top/${name}.svg`,
    image_bottom_url: level >= 2 ? `${base}/bottom/${name}.svg` : null,
    video_url: level >= 2 ? `${base}/turn/${name}.svg` : null,
    ux_url: level === 3 ? `${base}/view/${name}.html` : null,
    v360_json_base_url: level === 3 ? `${base}/frames/${name}/` : null,
    v360_info: level === 3 ? turnOf(name) : null,
  }
}

/** Alike stones share a picture, so a few thousand names serve a million stones. */
const turns = new Map<string, string>()
const TURNS_MAX = 50_000

function turnOf(name: string): string {
  const known = turns.get(name)
  if (known) return known
  const turn = JSON.stringify({
    frame_count: DEMO_FRAME_COUNT,
    s3_path: `demo/frames/${name}`,
    md5_hash: hash('md5', name),
    image_ext: 'svg',
  })
  if (turns.size < TURNS_MAX) turns.set(name, turn)
  return turn
}

export function certificateUrl(publicUrl: string, certNum: string): string {
  return `${publicUrl}${DEMO_MEDIA_PATH}/certificates/${certNum}.svg`
}
