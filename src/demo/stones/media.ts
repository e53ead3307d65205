import { hash } from 'node:crypto'
import { DEMO_FRAME_COUNT, DEMO_MEDIA_PATH } from '../../pictures/demo-names.ts'

export interface MediaFields {
  image_top_url: string | null
  image_bottom_url: string | null
  video_url: string | null
  ux_url: string | null
  v360_json_base_url: string | null
  v360_info: string | null
}

const NO_MEDIA: MediaFields = {
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
