import type { MediaType } from '../../reference/media-views.ts'

type Sign = readonly [type: MediaType, at: number, bytes: string | readonly number[]]

/** What a file is by its first bytes, whatever its server says. */
const SIGNS: readonly Sign[] = [
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 8, 'avif'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
  ['application/pdf', 0, '%PDF-'],
]

/** As many bytes as are needed to tell. */
export const TYPE_BYTES = 16

/** Returns undefined for anything else, such as HTML, SVG and scripts. */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  return SIGNS.find(([, at, sign]) => {
    const bytes = typeof sign === 'string' ? Buffer.from(sign, 'latin1') : sign
    return bytes.length + at <= head.length && bytes.every((byte, i) => head[at + i] === byte)
  })?.[0]
}
