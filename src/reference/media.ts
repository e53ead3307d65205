/**
 * The views of a stone or a piece of jewelry that suppliers have pictures, videos or files of. What
 * a supplier calls a 360 degree view (`turn`) is often a page instead, which is never fetched.
 */
export const MEDIA_VIEWS = ['top', 'bottom', 'video', 'turn', 'certificate'] as const
/** More frames of a 360 degree view than any supplier has. */
export const FRAMES_MAX = 1_000
export type MediaView = (typeof MEDIA_VIEWS)[number]

/** The types of files that are shown, none of which can run, and the bytes that they begin with. */
const SIGNS: readonly (readonly [type: string, at: number, bytes: string | readonly number[]])[] = [
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 8, 'avif'],
  ['video/mp4', 4, 'ftyp'],
  ['video/webm', 0, [0x1a, 0x45, 0xdf, 0xa3]],
  ['application/pdf', 0, '%PDF-'],
]

export const MEDIA_TYPES = SIGNS.map(([type]) => type)

/** As many bytes as are needed to tell. */
export const SIGN_BYTES = 16

/** What a file is by its first bytes; undefined for anything else, such as HTML and SVG. */
export function findMediaType(head: Uint8Array): string | undefined {
  return SIGNS.find(([, at, sign]) => {
    const bytes = typeof sign === 'string' ? Array.from(sign, (each) => each.charCodeAt(0)) : sign
    return bytes.every((byte, index) => head[at + index] === byte)
  })?.[0]
}
