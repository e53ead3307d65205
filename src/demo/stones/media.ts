import { hash } from 'node:crypto'
import { DEMO_FRAME_COUNT, DEMO_MEDIA_PATH } from '../../pictures/demo-names.ts'

interface MediaFields {
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

/** Returns the media of a stone: none (0), a picture (1), also a video (2), also a 360 view (3). */
export function mediaOf(publicUrl: string, name: string, level: 0 | 1 | 2 | 3): MediaFields {
  if (level === 0) return NO_MEDIA
  const base = `${publicUrl}${DEMO_MEDIA_PATH}`
  return {
    image_top_url: `${base}/top/${name}.svg`,
    image_bottom_url: level >= 2 ? `${base}/bottom/${name}.svg` : null,
    video_url: level >= 2 ? `${base}/turn/${name}.svg` : null,
    ux_url: level === 3 ? `${base}/view/${name}.html` : null,
    v360_json_base_url: level === 3 ? `${base}/frames/${name}/` : null,
    v360_info: level === 3 ? viewInfoOf(name) : null,
  }
}

/** Similar stones share a picture, so a few thousand names are enough for a million stones. */
const cache = new Map<string, string>()
const CACHED_MAX = 50_000

function viewInfoOf(name: string): string {
  const cached = cache.get(name)
  if (cached) return cached
  const info = JSON.stringify({
    frame_count: DEMO_FRAME_COUNT,
    s3_path: `demo/frames/${name}`,
    md5_hash: hash('md5', name),
    image_ext: 'svg',
  })
  if (cache.size < CACHED_MAX) cache.set(name, info)
  return info
}

export function certificateUrl(publicUrl: string, certNum: string): string {
  return `${publicUrl}${DEMO_MEDIA_PATH}/certificates/${certNum}.svg`
}
