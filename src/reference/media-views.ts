/** The views of a stone or a piece of jewelry that suppliers have pictures, videos or files of. */
export const MEDIA_VIEWS = ['top', 'bottom', 'video', 'certificate'] as const
/** The types of files that are shown. None of them can run. */
export const MEDIA_TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'video/mp4',
  'video/webm',
  'application/pdf',
] as const
export type MediaType = (typeof MEDIA_TYPES)[number]
export type MediaView = (typeof MEDIA_VIEWS)[number]
