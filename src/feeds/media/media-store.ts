import type { Db } from '../../database/open.ts'
import type { MediaView } from '../../reference/media.ts'

const GEM_COLUMNS = {
  top: 'image_top_url',
  bottom: 'image_bottom_url',
  video: 'video_url',
  turn: 'ux_url',
  certificate: 'cert_url',
} as const

/** The link to a view of a stone, or to the first picture or video of a piece of jewelry. */
export async function findMediaLink(
  db: Db,
  sku: string,
  view: MediaView,
): Promise<string | undefined> {
  const gem = await db
    .selectFrom('gem')
    .select(GEM_COLUMNS[view])
    .where('sku', '=', sku)
    .executeTakeFirst()
  const link = gem && Object.values(gem)[0]
  if (gem) return link ?? undefined
  const kind = view === 'top' ? 'image' : view
  const variant = await db
    .selectFrom('variant')
    .select('media')
    .where('sku', '=', sku)
    .executeTakeFirst()
  return variant?.media.find((medium) => medium.kind === kind)?.url
}

/** The link to one frame of the 360 degree view of a stone, numbered from 0. */
export async function findFrameLink(
  db: Db,
  sku: string,
  frame: number,
): Promise<string | undefined> {
  const gem = await db
    .selectFrom('gem')
    .select(['v360_json_base_url', 'v360_info'])
    .where('sku', '=', sku)
    .executeTakeFirst()
  const { frame_count, image_ext } = gem?.v360_info ?? {}
  if (!gem?.v360_json_base_url || !(frame < Number(frame_count))) return undefined
  const named = typeof image_ext === 'string' ? image_ext : 'jpg'
  const ending = /^\.?([a-z0-9]{1,5})$/i.exec(named)?.[1]
  return ending && `${gem.v360_json_base_url.replace(/\/$/, '')}/${frame}.${ending}`
}
