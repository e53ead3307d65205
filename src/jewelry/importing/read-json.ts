import { Refusal } from '../../lib/refusal.ts'
import { cellText, type FileRow, type JewelryFile } from './file-row.ts'

type Members = Record<string, unknown>

/**
 * Reads a list of variants, or of products that hold their `variants`, wherever in an envelope the
 * list stands; also one object per line. A product's members hold for each of its variants.
 */
export function readJson(text: string): JewelryFile {
  const objects = findList(parse(text))
  if (objects.length === 0) {
    const detail = 'The JSON has no list of products: objects with a stock number and a price.'
    throw new Refusal('invalid_request', detail)
  }
  const columns = new Set<string>()
  const rows = objects.flatMap(variantsOf).map((members, place): FileRow => {
    const cells = new Map<string, string>()
    if (!isObject(members)) return { row: place + 1, cells, unreadable: 'is no JSON object' }
    addCells(cells, '', members)
    for (const column of cells.keys()) columns.add(column)
    return { row: place + 1, cells }
  })
  return { columns: [...columns], rows }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    try {
      if (lines.length > 1) return lines.map((line) => JSON.parse(line) as unknown)
    } catch {
      // Neither one document nor one per line: the first error says what is wrong.
    }
    throw new Refusal('invalid_request', `The file is no JSON: ${(error as Error).message}.`)
  }
}

const DEPTH_MAX = 4

/** The first list of objects, outermost first. */
function findList(value: unknown, depth = 0): unknown[] {
  if (Array.isArray(value)) return value.some(isObject) ? value : []
  if (!isObject(value) || depth >= DEPTH_MAX) return []
  if (depth === 0 && Array.isArray(value.variants)) return [value]
  for (const member of Object.values(value)) {
    const list = findList(member, depth + 1)
    if (list.length > 0) return list
  }
  return []
}

function variantsOf(product: unknown): unknown[] {
  if (!isObject(product)) return [product]
  const { variants, vendor_sku, ...shared } = product
  if (!Array.isArray(variants)) return [product]
  // A product's own number groups its variants.
  const parent = vendor_sku === undefined ? {} : { parent_vendor_sku: vendor_sku }
  return variants.map((variant: unknown) =>
    isObject(variant) ? { ...parent, ...shared, ...variant } : variant,
  )
}

const LEVELS_MAX = 3

function addCells(cells: Map<string, string>, path: string, value: unknown, level = 0): void {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) {
    const texts = value.map(elementText).filter((text) => text !== '')
    if (texts.length > 0) cells.set(path, texts.join(' | '))
  } else if (isObject(value)) {
    if (level >= LEVELS_MAX) return
    for (const [key, member] of Object.entries(value)) {
      addCells(cells, path === '' ? key : `${path}.${key}`, member, level + 1)
    }
  } else {
    const text = scalarText(value)
    if (text !== '') cells.set(path, text)
  }
}

/** Of a list of media, the addresses. */
function elementText(element: unknown): string {
  if (isObject(element)) return typeof element.url === 'string' ? cellText(element.url) : ''
  return scalarText(element)
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return cellText(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
