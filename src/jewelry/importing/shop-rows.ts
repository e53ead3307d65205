/**
 * The exports of shops write one product in several rows: the first row has the title, later ones
 * only another variant or another picture; or a row of its own describes the product, and others
 * its variants. Here every row of a variant gets what its product's rows say, and the rows that are
 * not a piece to sell are taken out.
 */
import { mapInTurns, type Turns } from '../../lib/turns.ts'
import type { ColumnMeaning, JewelryField } from './columns.ts'
import type { MappedFile } from './map-file.ts'
import { CELL_CHARS_MAX, type FileRow } from './reading/kept-rows.ts'

interface ShopRows {
  rows: FileRow[]
  /** What was done with rows that are not pieces, in sentences for the report. */
  notes: string[]
}

export async function completeRows(file: MappedFile, turns: Turns): Promise<ShopRows> {
  const meant = new Set<ColumnMeaning>(file.meanings.values())
  if (meant.has('row_type')) return joinVariations(file, turns)
  const isContinued = meant.has('option_1_value') || meant.has('image_position')
  if (meant.has('parent_vendor_sku') && isContinued) return continueProducts(file, turns)
  return { rows: file.rows, notes: [] }
}

/** Reads and sets the cells of rows by what they mean. */
function createCells(meanings: MappedFile['meanings']) {
  const columnsOf = new Map<ColumnMeaning, string[]>()
  for (const [column, meaning] of meanings) {
    columnsOf.set(meaning, [...(columnsOf.get(meaning) ?? []), column])
  }
  return {
    get: ({ cells }: FileRow, field: JewelryField): string | undefined => {
      const column = columnsOf.get(field)?.find((name) => cells.has(name))
      return column === undefined ? undefined : cells.get(column)
    },
    columnsOf: (field: ColumnMeaning) => columnsOf.get(field) ?? [],
  }
}

/** What a product says once for all its variants. */
const SHARED: readonly ColumnMeaning[] = [
  ...(['title', 'description', 'short_description', 'jewelry_type', 'sub_type'] as const),
  ...(['category', 'published', 'availability', 'gift_card', 'country', 'currency'] as const),
  ...(['option_1_name', 'option_2_name', 'option_3_name', 'option_4_name'] as const),
  ...(['option_5_name', 'stone', 'side_stone', 'stone_growth', 'stone_shape'] as const),
  ...(['metal', 'metal_color', 'karat', 'style'] as const),
  ...(['collection', 'condition', 'returnable', 'details'] as const),
]

/** A barcode belongs to one variant, even where it is only stored. */
const OF_VARIANT = /^variant\b|barcode|gtin/i

function sharedColumns(meanings: MappedFile['meanings']): string[] {
  return [...meanings]
    .filter(([column, meaning]) => SHARED.includes(meaning) && !OF_VARIANT.test(column))
    .map(([column]) => column)
}

/** Rows with the same handle are one product; the first one says what they share. */
async function continueProducts({ rows, meanings }: MappedFile, turns: Turns): Promise<ShopRows> {
  const { get, columnsOf } = createCells(meanings)
  const shared = sharedColumns(meanings)
  const [imageColumn] = columnsOf('image')
  const isVariant = (row: FileRow) =>
    VARIANT_FIELDS.some((field) => get(row, field) !== undefined) || row.unreadable !== undefined
  const products = new Map<string, ShopProduct>()
  for (const row of rows) {
    if (turns.isOver()) await turns.next()
    const handle = get(row, 'parent_vendor_sku') ?? ''
    if (handle === '') continue
    const product = products.get(handle) ?? { first: row, images: [], imageText: undefined }
    products.set(handle, product)
    const url = get(row, 'image')
    const position = Number(get(row, 'image_position') ?? Number.POSITIVE_INFINITY)
    if (url !== undefined) product.images.push({ url, position })
  }
  let pictures = 0
  const pieces = await mapInTurns(turns, rows, (row): FileRow[] => {
    const handle = get(row, 'parent_vendor_sku') ?? ''
    if (!isVariant(row) && get(row, 'image') !== undefined && handle !== '') {
      pictures++
      return []
    }
    const product = products.get(handle)
    const cells = withShared(row, product?.first, shared)
    const images = product && imagesOf(product)
    if (imageColumn !== undefined && images) cells.set(imageColumn, images)
    return [changed(row, cells)]
  })
  const notes = pictures === 0 ? [] : [`${counted(pictures, 'row')} only added a picture.`]
  return { rows: pieces.flat(), notes }
}

/** A product whose rows share a handle. */
interface ShopProduct {
  first: FileRow
  images: { url: string; position: number }[]
  /** The cell of all images, once it was written: a product may have thousands of variants. */
  imageText: string | undefined
}

function imagesOf(product: ShopProduct): string {
  if (product.imageText === undefined) {
    const ordered = product.images.toSorted((a, b) => a.position - b.position)
    const urls = [...new Set(ordered.map(({ url }) => url))]
    product.imageText = urls.reduce((text, url) => {
      const joined = text === '' ? url : `${text} | ${url}`
      // Like any other cell: each variant is read with all images of its product.
      return joined.length > CELL_CHARS_MAX ? text : joined
    }, '')
  }
  return product.imageText
}

const VARIANT_FIELDS = ['vendor_sku', 'price', 'option_1_value'] as const

/** A product whose variations are rows of their own. */
const PRODUCTS: ReadonlySet<string> = new Set(['variable', 'configurable'])

/** Rows say whether they are a piece, a product with variations, or a variation of one. */
async function joinVariations({ rows, meanings }: MappedFile, turns: Turns): Promise<ShopRows> {
  const { get, columnsOf } = createCells(meanings)
  const shared = sharedColumns(meanings)
  const [parentColumn] = columnsOf('parent_vendor_sku')
  const [publishedColumn] = columnsOf('published')
  const kindOf = (row: FileRow) =>
    (get(row, 'row_type') ?? 'simple').toLowerCase().split(/[^a-z]/)[0]
  const parents = new Map<string, FileRow>()
  for (const row of rows.filter((each) => kindOf(each) === 'variable')) {
    const [sku, id] = [get(row, 'vendor_sku'), get(row, 'product_id')]
    if (sku !== undefined) parents.set(sku, row)
    if (id !== undefined) parents.set(`id:${id}`, row)
  }
  const pieces = await mapInTurns(turns, rows, (row): FileRow[] => {
    const kind = kindOf(row)
    if (PRODUCTS.has(kind)) return []
    if (kind === 'simple' || row.unreadable !== undefined) return [row]
    if (kind !== 'variation') {
      return [{ ...row, unreadable: `The row is of type ${kind}, which is not a piece to sell` }]
    }
    const named = get(row, 'parent_vendor_sku') ?? ''
    const parent = parents.get(named)
    if (!parent) {
      const reason = `Its product ${JSON.stringify(named)} is not in the file`
      return [{ ...row, unreadable: reason }]
    }
    const cells = withShared(row, parent, shared)
    const sku = get(parent, 'vendor_sku') ?? named
    if (parentColumn !== undefined) cells.set(parentColumn, sku)
    // A variation repeats its product's name with its options, and has a picture of its own.
    for (const column of columnsOf('title')) copyCell(column, parent, cells)
    for (const column of columnsOf('image')) {
      const urls = [row.cells.get(column), parent.cells.get(column)]
      const all = urls.filter((text) => text !== undefined).join(' | ')
      if (all !== '') cells.set(column, all)
    }
    // A variation is not on offer when its product is not.
    const published = get(parent, 'published')
    if (publishedColumn !== undefined && published !== undefined && published !== '1') {
      cells.set(publishedColumn, published)
    }
    return [changed(row, cells)]
  })
  const products = rows.filter((row) => PRODUCTS.has(kindOf(row))).length
  const notes = products === 0 ? [] : [`${counted(products, 'row')} described a product.`]
  return { rows: pieces.flat(), notes }
}

function copyCell(column: string, from: FileRow, to: Map<string, string>): void {
  const text = from.cells.get(column)
  if (text !== undefined) to.set(column, text)
}

/** The cells of a row, with those of its product where it has none. */
function withShared(
  row: FileRow,
  product: FileRow | undefined,
  shared: readonly string[],
): Map<string, string> {
  const cells = new Map(row.cells)
  for (const column of shared) {
    const text = product?.cells.get(column)
    if (text !== undefined && !cells.has(column)) cells.set(column, text)
  }
  return cells
}

function changed(row: FileRow, cells: Map<string, string>): FileRow {
  return { ...row, cells, ownCells: row.ownCells ?? row.cells }
}

function counted(count: number, noun: string): string {
  return count === 1 ? `One ${noun}` : `${count} ${noun}s`
}
