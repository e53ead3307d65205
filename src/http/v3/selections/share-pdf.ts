import { readFile } from 'node:fs/promises'
import { readPicture } from '../../../documents/image.ts'
import type { SheetStone, StoneSheet } from '../../../documents/stone-sheet.ts'
import { findMediaLink } from '../../../feeds/media/media-store.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { drawLines } from '../../../pictures/line-drawing.ts'
import { SHAPES } from '../../../reference/attributes.ts'
import type { Services } from '../../services.ts'
import { dateOf, factsOf, nameOf, priceOf, type SharedStone } from './share-facts.ts'
import { titleOf } from './share-html.ts'
import { fill, type PageTexts } from './share-texts.ts'

/** Countries whose paper is Letter. */
const LETTER_COUNTRIES: ReadonlySet<string> = new Set(['US', 'CA', 'MX', 'PH', 'CL', 'CO', 'VE'])
/** Larger pictures are not printed: twenty of them must fit into the memory of a thread. */
const PICTURE_BYTES_MAX = 4 * 1024 * 1024
const PICTURE_PIXELS_MAX = 12_000_000
const DRAWING_SIZE = 400

interface SharedSheet {
  texts: PageTexts
  shop: { name: string; url: string | null; country_code: string }
  title: string | null
  note: string | null
  stones: readonly SharedStone[]
  nowMs: number
  endMs: number
}

/** The stones of a share as a PDF, with the same facts and prices as its page. */
export async function renderSharePdf(services: Services, shared: SharedSheet): Promise<Uint8Array> {
  const { texts, shop, stones, nowMs, endMs } = shared
  const facts = factsOf(stones, texts)
  const drawn = stones.map(({ stone, status }, index): SheetStone => {
    const isOnSale = status === 'available' || status === 'held'
    return {
      name: nameOf(stone, texts),
      price: isOnSale ? priceOf(stone, texts) : null,
      state: status === 'available' ? null : texts[status],
      facts: facts.map(({ label, values }) => ({ label, value: values[index] ?? '–' })),
      picture: drawingOf(stone),
    }
  })
  const sheet: StoneSheet = {
    paper: LETTER_COUNTRIES.has(shop.country_code) ? 'letter' : 'a4',
    language: texts.locale.startsWith('de') ? 'de' : 'en',
    issued_on: new Date(nowMs).toISOString().slice(0, 10),
    shop: { name: shop.name, url: shop.url },
    title: shared.title ?? titleOf(stones, texts),
    note: shared.note,
    stones: drawn,
    foot: fill(texts.printed, { now: dateOf(nowMs, texts), end: dateOf(endMs, texts) }),
  }
  const pictures = await Promise.all(stones.map(({ sku }) => findPicture(services, sku)))
  const shown = drawn.map((stone, index) => ({
    ...stone,
    picture: pictures[index] ?? stone.picture,
  }))
  try {
    return await services.renderer.render({ stones: { ...sheet, stones: shown } })
  } catch (error) {
    if (error instanceof Refusal) throw error
    // A picture of a supplier is damaged; the drawings are our own.
    return services.renderer.render({ stones: sheet })
  }
}

/** The picture that the market has of a stone, where a PDF can contain it. */
async function findPicture({ db, media }: Services, sku: string): Promise<Buffer | undefined> {
  const link = media.isOn ? await findMediaLink(db, sku, 'top') : undefined
  const medium = link === undefined ? undefined : await media.find(link)
  if (!medium || medium.bytes > PICTURE_BYTES_MAX) return undefined
  const bytes = await readFile(medium.path)
  const picture = readPicture(bytes)
  return picture && picture.width * picture.height <= PICTURE_PIXELS_MAX ? bytes : undefined
}

function drawingOf({ shape: name, ratio }: SharedStone['stone']): SheetStone['picture'] {
  const shape = SHAPES.find((each) => each === name) ?? 'round'
  const { polygons } = drawLines(shape, DRAWING_SIZE, ratio ?? undefined)
  return {
    size: DRAWING_SIZE,
    polygons: polygons.map(({ points, stroke }) => ({ points, width: stroke?.width ?? 1 })),
  }
}
