/** Lists: one page when awaited, every row when iterated. */

/** One page of a list, and how to get the page after it. */
export interface Loaded<Page, Row> {
  page: Page
  rows: readonly Row[]
  /** Undefined: this is the last page. */
  next: (() => Promise<Loaded<Page, Row>>) | undefined
}

/**
 * A list that is read when it is asked: `await list` is its first page, `for await (… of list)`
 * are the rows of all pages, one page at a time.
 */
export class Listing<Page, Row> implements PromiseLike<Page>, AsyncIterable<Row> {
  readonly #load: () => Promise<Loaded<Page, Row>>
  #first: Promise<Loaded<Page, Row>> | undefined

  constructor(load: () => Promise<Loaded<Page, Row>>) {
    this.#load = load
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting the list is reading its first page
  then<A = Page, B = never>(
    done?: ((page: Page) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#start()
      .then(({ page }) => page)
      .then(done, failed)
  }

  #start(): Promise<Loaded<Page, Row>> {
    this.#first ??= this.#load()
    return this.#first
  }

  /** Every page, from the first to the last. */
  pages(): AsyncGenerator<Page, void> {
    return this.#pages(({ page }) => [page])
  }

  [Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    return this.#pages(({ rows }) => rows)
  }

  async *#pages<T>(pick: (loaded: Loaded<Page, Row>) => readonly T[]): AsyncGenerator<T, void> {
    let loaded: Loaded<Page, Row> | undefined = await this.#start()
    while (loaded) {
      yield* pick(loaded)
      loaded = await loaded.next?.()
    }
  }

  /** The rows of all pages. A search without filters is the whole market. */
  async all(): Promise<Row[]> {
    const rows: Row[] = []
    for await (const row of this) rows.push(row)
    return rows
  }
}

/** All rows of a list: an array when awaited, one after the other when iterated. */
export class Rows<Row> implements PromiseLike<Row[]>, AsyncIterable<Row> {
  readonly #list: Listing<unknown, Row>

  constructor(list: Listing<unknown, Row>) {
    this.#list = list
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting the rows is reading all of them
  then<A = Row[], B = never>(
    done?: ((rows: Row[]) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#list.all().then(done, failed)
  }

  [Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    return this.#list[Symbol.asyncIterator]()
  }
}

interface PageBody {
  total?: number
  next_cursor?: string | null
  [rows: string]: unknown
}

/** Rows of a later page when the caller does not say how many. */
const ROWS_OF_LATER_PAGES = 500

/**
 * A list of the interface, whose rows are under `name`. It goes on by `next_cursor` where a page
 * has one, otherwise by `offset`.
 */
export function listOf<Page, Row>(
  load: (query: object) => Promise<unknown>,
  name: string,
  query: object = {},
): Listing<Page, Row> {
  const asked = query as { limit?: number; offset?: number }
  async function loadPage(place: object, skipped: number): Promise<Loaded<Page, Row>> {
    const page = (await load({ ...query, ...place })) as PageBody
    const rows = page[name] as Row[]
    const seen = skipped + rows.length
    return { page: page as Page, rows, next: nextOf(page, rows.length, seen) }
  }
  function nextOf({ next_cursor: cursor, total = 0 }: PageBody, count: number, seen: number) {
    const limit = asked.limit ?? ROWS_OF_LATER_PAGES
    if (cursor) return () => loadPage({ limit, cursor, offset: undefined }, seen)
    const isLast = cursor === null || count === 0 || seen >= total
    return isLast ? undefined : () => loadPage({ limit, offset: seen }, seen)
  }
  return new Listing(() => loadPage({}, asked.offset ?? 0))
}
