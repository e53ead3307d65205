import { setImmediate } from 'node:timers/promises'
import { createKnownReads, KNOWN_MS, LAST_COMMIT_MS } from '../../database/known-reads.ts'
import { columnTypes, type Db, kyselyOn } from '../../database/open.ts'
import { withSession } from '../../database/watch-sessions.ts'
import type { BulkReads } from '../../events/bulk-reads.ts'
import { wordsOf } from './free-text.ts'
import {
  attributeTerms,
  type ProductRow,
  productRowOf,
  searchedTexts,
  type VariantRow,
} from './rows.ts'
import { createSortedLists, type SortedLists } from './sorted-lists.ts'
import {
  type LoadedCatalogue,
  loadCatalogues,
  loadMemberships,
  loadProducts,
  loadVariants,
  numberProducts,
  readClock,
} from './store.ts'
import { createTermIndex, type TermIndex } from './term-index.ts'
import { createVariantColumns, type VariantColumns } from './variant-columns.ts'

/**
 * All jewelry and watches in memory. Before every query it asks PostgreSQL for the last version,
 * which numbers what is committed, and loads what has changed since. So on every node a response
 * includes the last commit, and nodes need not notify each other. Only while the database is away
 * it is used as it is.
 */
export interface Showroom {
  /** Returns the up-to-date index. It must be used before the next `await`, which may change it. */
  current(): Promise<ShowroomIndex>
}

/** Products and variants are addressed by their row numbers. */
export interface ShowroomIndex {
  products: { rows: readonly ProductRow[]; words: TermIndex; sorted: SortedLists<ProductRow> }
  variants: {
    rows: readonly VariantRow[]
    columns: VariantColumns
    words: TermIndex
    /** By the numbers of suppliers, which not every viewer may search. */
    vendorSkus: TermIndex
    attributes: TermIndex
    sorted: SortedLists<VariantRow>
  }
  catalogues: readonly LoadedCatalogue[]
  /** Results that are valid until the next change. */
  cache: Map<string, unknown>
  /** Visible products per viewer, valid until a product is added or changes its catalogues. */
  visibilityCache: Map<string, Uint8Array>
}

interface State extends ShowroomIndex {
  version: number
  numbersOfProducts: Map<string, number>
  numbersOfVariants: Map<string, number>
}

export function createShowroom(db: Db, bulk: BulkReads): Showroom {
  let state: State | undefined
  let loading: Promise<State> | undefined
  const knownReads = createKnownReads()
  let readAtMs = performance.now()

  /** While the database is away, what is loaded counts as the last version, for an hour. */
  async function readVersion(loaded: number): Promise<number> {
    const again = async () => {
      const version = await numberProducts(db)
      readAtMs = performance.now()
      return version
    }
    if (performance.now() - readAtMs > KNOWN_MS) return again()
    return knownReads.read(again, loaded, LAST_COMMIT_MS)
  }

  return {
    async current() {
      const before = state?.version
      const version = state ? await readVersion(state.version) : await numberProducts(db)
      // The clock goes back only when the whole market was replaced: see reset-market.ts.
      if (before !== undefined && version < before) state = undefined
      // A load that started before the clock was read may miss changes: then wait for another.
      while (!state || state.version < version) {
        loading ??= (state ? load(db, state) : loadAll(bulk)).finally(() => {
          loading = undefined
        })
        state = await loading
      }
      return state
    },
  }
}

/** The first load, which may be that of a replica. */
function loadAll(bulk: BulkReads): Promise<State> {
  const applicationName = 'pavilion showroom'
  return bulk.read(({ url }) =>
    withSession({ url, applicationName, types: columnTypes }, (client) =>
      load(kyselyOn(client), undefined),
    ),
  )
}

/** Fifty thousand variants take a second, during which other requests must be served. */
const PRODUCTS_AT_A_TIME = 250

/** Loads what changed, or everything at first. Changes made meanwhile are loaded next time. */
async function load(db: Db, earlier: State | undefined): Promise<State> {
  const version = await readClock(db)
  const after = earlier?.version
  const products = await loadProducts(db, after)
  const variants = await loadVariants(db, after)
  const memberships = await loadMemberships(db, after)
  const catalogues = await loadCatalogues(db)
  const state = earlier ?? emptyState()
  const variantsOf = groupByProduct(variants)
  const cataloguesOf = groupByProduct(memberships)
  const variantOf = (id: string) => numberOf(state.numbersOfVariants, id)
  const changed: ProductRow[] = []
  for (const product of products) {
    const inside = cataloguesOf.get(product.id) ?? []
    const numbers = { product: numberOf(state.numbersOfProducts, product.id), variantOf }
    changed.push(productRowOf(product, variantsOf.get(product.id) ?? [], inside, numbers))
    if (changed.length % PRODUCTS_AT_A_TIME === 0) await setImmediate()
  }
  if (changesVisibility(state, changed, catalogues)) state.visibilityCache.clear()
  if (earlier) replaceRows(state, changed)
  else await fillRows(state, changed)
  state.catalogues = catalogues
  state.cache.clear()
  state.version = version
  return state
}

/** Returns whether products become visible or hidden. Sales, the usual change, do neither. */
function changesVisibility(
  state: State,
  changed: readonly ProductRow[],
  catalogues: readonly LoadedCatalogue[],
): boolean {
  const asText = (list: readonly LoadedCatalogue[]) =>
    JSON.stringify(list.map((each) => ({ ...each, merchants: [...each.merchants] })))
  return (
    asText(catalogues) !== asText(state.catalogues) ||
    changed.some(({ number, type, catalogues: inside }) => {
      const old = state.products.rows.at(number)
      return old?.type !== type || namesOf(old.catalogues) !== namesOf(inside)
    })
  )
}

function namesOf(memberships: ProductRow['catalogues']): string {
  return memberships.map(({ catalogue_uuid }) => catalogue_uuid).join()
}

/** The first load may yield to other requests: nothing can see its state before it is done. */
async function fillRows(state: State, rows: readonly ProductRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += PRODUCTS_AT_A_TIME) {
    replaceRows(state, rows.slice(start, start + PRODUCTS_AT_A_TIME))
    await setImmediate()
  }
}

/** Runs without an `await`, so that no query sees half of the change. */
function replaceRows({ products, variants }: State, changed: readonly ProductRow[]): void {
  products.sorted.replace(new Map(changed.map((row) => [row.number, row])))
  const changedVariants = changed.flatMap((row) => row.variants)
  variants.sorted.replace(new Map(changedVariants.map((row) => [row.number, row])))
  for (const { number, title, description } of changed) {
    products.words.setRow(number, wordsOf([title, description]))
  }
  for (const row of changedVariants) {
    variants.columns.set(row.number, row)
    variants.words.setRow(row.number, wordsOf(searchedTexts(row)))
    variants.vendorSkus.setRow(row.number, wordsOf([row.vendor_sku]))
    variants.attributes.setRow(row.number, attributeTerms(row))
  }
}

function numberOf(numbers: Map<string, number>, id: string): number {
  const known = numbers.get(id)
  if (known !== undefined) return known
  numbers.set(id, numbers.size)
  return numbers.size - 1
}

function groupByProduct<Row extends { product_id: string }>(rows: readonly Row[]) {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.product_id)
    if (group) group.push(row)
    else groups.set(row.product_id, [row])
  }
  return groups
}

function emptyState(): State {
  const products: ProductRow[] = []
  const variants: VariantRow[] = []
  return {
    products: { rows: products, words: createTermIndex(), sorted: createSortedLists(products) },
    variants: {
      rows: variants,
      columns: createVariantColumns(),
      words: createTermIndex(),
      vendorSkus: createTermIndex(),
      attributes: createTermIndex(),
      sorted: createSortedLists(variants),
    },
    catalogues: [],
    cache: new Map(),
    visibilityCache: new Map(),
    version: 0,
    numbersOfProducts: new Map(),
    numbersOfVariants: new Map(),
  }
}
