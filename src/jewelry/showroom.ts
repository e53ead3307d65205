import type { Db } from '../database/open.ts'
import { readClock } from './showroom-clock.ts'
import { type ProductRow, productRowOf, type RowTerms, type VariantRow } from './showroom-rows.ts'
import {
  type LoadedCatalogue,
  loadCatalogues,
  loadMemberships,
  loadProducts,
  loadVariants,
} from './showroom-store.ts'
import { createSortedLists, type SortedLists } from './sorted-rows.ts'
import { createTerms } from './terms.ts'

/**
 * All jewelry and watches in memory. PostgreSQL is the truth: every query first asks it, in one
 * read of one row, whether the copy is still good, and brings it up to date when it is not. So an
 * answer is never older than the last commit, on any node, and nothing needs to be told.
 */
export interface Showroom {
  /** The copy as PostgreSQL has it now. Use it before the next `await`. */
  current(): Promise<Floor>
}

/** What the showroom shows at one moment. */
export interface Floor {
  products: ReadonlyMap<string, ProductRow>
  catalogues: readonly LoadedCatalogue[]
  terms: RowTerms
  /** One more than the highest slot of a product. */
  slots: number
  productsBy: SortedLists<ProductRow>
  variantsBy: SortedLists<VariantRow>
  /** Answers that hold until the next change. */
  remembered: Map<string, unknown>
}

interface State extends Floor {
  products: Map<string, ProductRow>
  version: number
}

export function createShowroom(db: Db): Showroom {
  let state: State | undefined
  let loading: Promise<State> | undefined

  return {
    async current() {
      const version = state && (await readClock(db))
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
  const changed = products.map((product) => {
    const slot = state.products.get(product.id)?.slot ?? state.slots++
    const inside = (cataloguesOf.get(product.id) ?? []).map((each) => each.catalogue_uuid)
    const own = variantsOf.get(product.id) ?? []
    return productRowOf(product, own, { slot, catalogues: inside }, state.terms)
  })
  exchange(state, changed)
  state.catalogues = catalogues
  state.remembered.clear()
  state.version = version
  return state
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
  const products = new Map<string, ProductRow>()
  return {
    products,
    catalogues: [],
    terms: { words: createTerms(), attributes: createTerms() },
    slots: 0,
    productsBy: createSortedLists(() => products.values()),
    variantsBy: createSortedLists(() => [...products.values()].flatMap((row) => row.variants)),
    remembered: new Map(),
    version: 0,
  }
}

/** From this many changed products on, sorting anew is cheaper than moving rows one by one. */
const MOVED_MAX = 200

function exchange(state: State, changed: readonly ProductRow[]): void {
  const isMany = changed.length > MOVED_MAX
  if (isMany) {
    state.productsBy.forget()
    state.variantsBy.forget()
  }
  for (const row of changed) {
    const old = state.products.get(row.id)
    state.products.set(row.id, row)
    if (isMany) continue
    state.productsBy.exchange(old ? [old] : [], [row])
    state.variantsBy.exchange(old?.variants ?? [], row.variants)
  }
}
