import type { FieldName } from '../mapping/fields.ts'
import { readCount } from '../values/numbers.ts'
import { readDetails, readUrl } from '../values/words.ts'
import type { Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

interface MediaFields {
  image_top_url: string | null
  image_bottom_url: string | null
  video_url: string | null
  ux_url: string | null
  cached_ux_url: string | null
  v360_info: string | null
  v360_json_base_url: string | null
  original_imported_ext_url: string | null
}

/** Links to pictures, videos and 360 degree views. */
export function draftMedia(cell: CellReader, notes: Notes): MediaFields {
  return {
    image_top_url: imageOf(cell, 'image_top_url'),
    image_bottom_url: imageOf(cell, 'image_bottom_url'),
    video_url: linkOf(cell, 'video_url'),
    ux_url: linkOf(cell, 'ux_url'),
    cached_ux_url: linkOf(cell, 'cached_ux_url'),
    v360_info: framesOf(cell, notes),
    v360_json_base_url: linkOf(cell, 'v360_json_base_url'),
    original_imported_ext_url: linkOf(cell, 'original_imported_ext_url'),
  }
}

export function linkOf(cell: CellReader, field: FieldName): string | null {
  const text = cell(field)
  return text === '' ? null : (readUrl(text) ?? null)
}

/** What a link to an image may not end with. */
const NOT_IMAGE = /\.(pdf|mp4|mov|webm|avi)(?=[?#]|$)/i

function imageOf(cell: CellReader, field: 'image_top_url' | 'image_bottom_url'): string | null {
  const link = linkOf(cell, field)
  return link !== null && NOT_IMAGE.test(link) ? null : link
}

/** A longer path or hash is none. */
const FRAME_TEXT_CHARS_MAX = 300

/** The frames of a 360 degree view: one JSON object, or a column for each of its keys. */
function framesOf(cell: CellReader, notes: Notes): string | null {
  const whole = cell('v360_info')
  if (whole !== '') {
    const details = readDetails(whole)
    if (details === undefined) notes.unreadable('v360_info', whole)
    return details ?? null
  }
  const count = cell('v360_frame_count')
  const [s3Path, md5Hash, imageExt] = [
    cell('v360_s3_path'),
    cell('v360_md5_hash'),
    cell('v360_image_ext'),
  ].map((text) => (text === '' ? null : text.slice(0, FRAME_TEXT_CHARS_MAX)))
  if (count === '' && s3Path === null && md5Hash === null && imageExt === null) return null
  const frames = {
    frame_count: readCount(count) ?? null,
    s3_path: s3Path,
    md5_hash: md5Hash,
    image_ext: imageExt,
  }
  return readDetails(JSON.stringify(frames)) ?? null
}
