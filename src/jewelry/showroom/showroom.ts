import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../database/open.ts'
import { readClock } from './clock.ts'
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
} from './store.ts'
import { createTermIndex, type TermIndex } from './term-index.ts'
import { createVariantColumns, type VariantColumns } from './variant-columns.ts'

/**
 * All jewelry and watches in memory. PostgreSQL is the truth: every query first asks it, in one
 * read of one row, whether the copy is still good, and brings it up to date when it is not. So an
 * answer is never older than the last commit, on any node, and nothing needs to be told.
 */
export interface Showroom {
  /** The copy as PostgreSQL has it now. Use it before the next `await`. */
  current(): Promise<Floor>
}

/** What the showroom shows at one moment. Products and variants go by their numbers. */
export interface Floor {
  products: { rows: readonly ProductRow[]; words: TermIndex; sorted: SortedLists<ProductRow> }
  variants: {
    rows: readonly VariantRow[]
    columns: VariantColumns
    words: TermIndex
    attributes: TermIndex
    sorted: SortedLists<VariantRow>
  }
  catalogues: readonly LoadedCatalogue[]
  /** Answers that hold until the next change. */
  remembered: Map<string, unknown>
  /** Answers that hold until a product comes, or goes into another catalogue. */
  rememberedGates: Map<string, Uint8Array>
}

interface State extends Floor {
  version: number
  numbersOfProducts: Map<string, number>
  numbersOfVariants: Map<string, number>
}

export function createShowroom(db: Db): Showroom {
  let state: State | undefined
  let loading: Promise<State> | undefined

  return {
    async current() {
      const before = state?.version
      const version = state && (await readClock(db))
      // The clock never goes back, except into another market: see reset-market.ts.
      if (before !== undefined && version !== undefined && version < before) state = undefined
      // Whoever finds a load running that started before its own look waits for the next one.
      while (!state || (version !== undefined && state.version < version)) {
        loading ??= load(db, state).finally(() => {
          loading = undefined
        })
        state = await loading
      }
      return state
    },
  }
}

/** Fifty thousand variants are a second of work, and others want to be served meanwhile. */
const PRODUCTS_AT_A_TIME = 250

/** Reads what changed, or all at first. What changes meanwhile is read again with the next. */
async function load(db: Db, earlier: State | undefined): Promise<State> {
  const version = await readClock(db)
  const after = earlier?.version
  const [products, variants, memberships, catalogues] = await Promise.all([
    loadProducts(db, after),
    loadVariants(db, after),
    loadMemberships(db, after),
    loadCatalogues(db),
  ])
  const state = earlier ?? emptyState()
  const variantsOf = groupByProduct(variants)
  const cataloguesOf = groupByProduct(memberships)
  const variantOf = (id: string) => numberOf(state.numbersOfVariants, id)
  const changed: ProductRow[] = []
  for (const product of products) {
    const inside = (cataloguesOf.get(product.id) ?? []).map((each) => each.catalogue_uuid)
    const numbers = { product: numberOf(state.numbersOfProducts, product.id), variantOf }
    changed.push(productRowOf(product, variantsOf.get(product.id) ?? [], inside, numbers))
    if (changed.length % PRODUCTS_AT_A_TIME === 0) await setImmediate()
  }
  if (changesGate(state, changed, catalogues)) state.rememberedGates.clear()
  if (earlier) replaceRows(state, changed)
  else await fillRows(state, changed)
  state.catalogues = catalogues
  state.remembered.clear()
  state.version = version
  return state
}

/** Sales are the usual change, and leave it as it is who sees what. */
function changesGate(
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
      return old?.type !== type || old.catalogues.join() !== inside.join()
    })
  )
}

/** The first load takes its time: nobody can see its state before it is done. */
async function fillRows(state: State, rows: readonly ProductRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += PRODUCTS_AT_A_TIME) {
    replaceRows(state, rows.slice(start, start + PRODUCTS_AT_A_TIME))
    await setImmediate()
  }
}

/** Between two `await`s, so that no query sees half of it. */
function replaceRows({ products, variants }: State, changed: readonly ProductRow[]): void {
  products.sorted.replace(new Map(changed.map((row) => [row.number, row])))
  const changedVariants = changed.flatMap((row) => row.variants)
  variants.sorted.replace(new Map(changedVariants.map((row) => [row.number, row])))
  for (const { number, title, description } of changed) {
    products.words.place(number, wordsOf([title, description]))
  }
  for (const row of changedVariants) {
    variants.columns.set(row.number, row)
    variants.words.place(row.number, wordsOf(searchedTexts(row)))
    variants.attributes.place(row.number, attributeTerms(row))
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
      attributes: createTermIndex(),
      sorted: createSortedLists(variants),
    },
    catalogues: [],
    remembered: new Map(),
    rememberedGates: new Map(),
    version: 0,
    numbersOfProducts: new Map(),
    numbersOfVariants: new Map(),
  }
}
