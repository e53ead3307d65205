import { readDetails, readUrl } from '../values/links-and-details.ts'
import { readCount } from '../values/numbers.ts'
import { readFlag } from '../values/spelling.ts'
import type { NotedReader } from './notes.ts'
import type { CellReader } from './row-reader.ts'

interface MediaFields {
  image_top_url: string | null
  image_bottom_url: string | null
  video_url: string | null
  ux_url: string | null
  cached_ux_url: string | null
  v360_info: string | null
  v360_json_base_url: string | null
  media_requested: boolean
  original_imported_ext_url: string | null
}

/** Links to pictures, videos and 360 degree views, and whether more of them were requested. */
export function draftMedia(cell: CellReader, noted: NotedReader): MediaFields {
  return {
    image_top_url: noted('image_top_url', readImage) ?? null,
    image_bottom_url: noted('image_bottom_url', readImage) ?? null,
    video_url: noted('video_url', readUrl) ?? null,
    ux_url: noted('ux_url', readUrl) ?? null,
    cached_ux_url: noted('cached_ux_url', readUrl) ?? null,
    v360_info: framesOf(cell, noted),
    v360_json_base_url: noted('v360_json_base_url', readUrl) ?? null,
    media_requested: noted('media_requested', readFlag) ?? false,
    original_imported_ext_url: noted('original_imported_ext_url', readUrl) ?? null,
  }
}

/** What a link to an image may not end with. */
const NOT_IMAGE = /\.(pdf|mp4|mov|webm|avi)(?=[?#]|$)/i

function readImage(text: string): string | undefined {
  const link = readUrl(text)
  return link !== undefined && NOT_IMAGE.test(link) ? undefined : link
}

/** Bounds what a cell adds to the JSON; no path or hash is longer. */
const FRAME_TEXT_CHARS_MAX = 300

/** The frames of a 360 degree view: one JSON object, or a column for each of its keys. */
function framesOf(cell: CellReader, noted: NotedReader): string | null {
  if (cell('v360_info') !== '') return noted('v360_info', readDetails) ?? null
  const count = cell('v360_frame_count')
  const [s3Path, md5Hash, imageExt] = [
    cell('v360_s3_path'),
    cell('v360_md5_hash'),
    cell('v360_image_ext'),
  ].map((text) => (text === '' ? null : text.slice(0, FRAME_TEXT_CHARS_MAX)))
  if (count === '' && s3Path === null && md5Hash === null && imageExt === null) return null
  const frames = {
    frame_count: noted('v360_frame_count', readCount) ?? null,
    s3_path: s3Path,
    md5_hash: md5Hash,
    image_ext: imageExt,
  }
  return readDetails(JSON.stringify(frames)) ?? null
}
