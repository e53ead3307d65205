/** Finds the products in JSON, and gives their variants what product and envelope say for all. */
import { type JewelryField, meaningOf } from '../columns.ts'

type Members = Record<string, unknown>

interface ProductList {
  products: unknown[]
  /** What the envelope says of all products. */
  shared: Members
}

const DEPTH_MAX = 4
const NONE: ProductList = { products: [], shared: {} }

/** Returns the first list of objects, outermost first, and the currency beside it. */
export function findProducts(given: unknown, depth = 0): ProductList {
  const value = listIn(given)
  if (Array.isArray(value)) return value.some(isObject) ? { products: value, shared: {} } : NONE
  if (!isObject(value) || depth >= DEPTH_MAX) return NONE
  if (depth === 0 && Array.isArray(value.variants)) return { products: [value], shared: {} }
  for (const member of Object.values(value)) {
    const { products, shared } = findProducts(member, depth + 1)
    if (products.length > 0) return { products, shared: { ...currencyIn(value), ...shared } }
  }
  return NONE
}

/** `{"currency": "EUR", "products": […]}`, or the same in an object such as `meta`. */
function currencyIn(envelope: Members): Members {
  for (const members of [envelope, ...Object.values(envelope).filter(isObject)]) {
    const { value } = memberOf(members, 'currency') ?? {}
    if (typeof value === 'string') return { currency: value }
  }
  return {}
}

/** Yields one variant at a time: repeating a product's members may need too much memory. */
export function* variantsIn({ products, shared }: ProductList): Generator<unknown> {
  for (const product of products) {
    if (!isObject(product)) {
      yield product
      continue
    }
    const { variants: given, ...own } = product
    const variants = listIn(given)
    if (!Array.isArray(variants)) {
      yield withShared(product, shared)
      continue
    }
    const members = productMembers(own)
    // The title of a shop's variant lists its options; the piece is called as its product.
    const title = memberOf(own, 'title')
    const named = title === undefined ? {} : { [title.key]: title.value }
    for (const variant of variants as unknown[]) {
      yield isObject(variant) ? withShared({ ...members, ...variant, ...named }, shared) : variant
    }
  }
}

/** The product's own number groups its variants, and its options name their values. */
function productMembers(product: Members): Members {
  const own = memberOf(product, 'vendor_sku')
  const number = own ?? memberOf(product, 'product_id')
  const isGrouped = number === undefined || memberOf(product, 'parent_vendor_sku') !== undefined
  const parent = isGrouped ? {} : { parent_vendor_sku: number.value }
  const { options, ...members } = product
  const shared = Object.entries(members).filter(([key]) => key !== own?.key)
  return { ...parent, ...Object.fromEntries(shared), ...optionNames(options) }
}

/** Shops list the names of options with the product: `[{"name": "Metal"}, {"name": "Size"}]`. */
function optionNames(options: unknown): Members {
  if (!Array.isArray(options)) return options === undefined ? {} : { options }
  const names = options.map((option) => (isObject(option) ? option.name : option))
  return Object.fromEntries(names.map((name, at) => [`option_${at + 1}_name`, name]))
}

/** What the product says itself comes first, under whatever name. */
function withShared(members: Members, shared: Members): Members {
  return { ...members, ...shared, ...members }
}

/** Returns the first member that means the field and is not empty. */
function memberOf(members: Members, field: JewelryField) {
  for (const [key, value] of Object.entries(members)) {
    const isEmpty = value === null || value === undefined || value === ''
    if (!isEmpty && meaningOf(key) === field) return { key, value }
  }
  return undefined
}

/** GraphQL has `{"edges": [{"node": {…}}]}` or `{"nodes": […]}` where other JSON has a list. */
export function listIn(value: unknown): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value.nodes)) return value.nodes
  if (!Array.isArray(value.edges)) return value
  return value.edges.map((edge: unknown) => (isObject(edge) && edge.node) || edge)
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
