import { type Static, type TObject, type TSchema, Type } from 'typebox'
import {
  inlineObject,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  WITHOUT_NULL,
} from './fields.ts'

export function limitField(absent: number, max: number) {
  return integer('Maximum number of rows', absent, { minimum: 1, maximum: max, default: absent })
}

/** Proxies end connections that are silent for a minute. */
const WAIT_SECONDS_MAX = 30

/** How long a request waits when there is nothing new yet. */
export function waitField(awaited: 'a change' | 'an event') {
  return integer(`Seconds to wait for ${awaited} if there is none yet`, 0, {
    minimum: 0,
    maximum: WAIT_SECONDS_MAX,
    default: 0,
  })
}

export const offsetField = integer('Number of rows to skip', 0, {
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
})

/** Longer than any cursor. */
const CURSOR_LENGTH_MAX = 300
const CURSOR = 'Y0hIY2sxNHlbMSwxMDI1MDAsNDcxMSw1MCwxMjM0LCJkMnZLcG54MFJxV0o4M2ZBIl0'

export function cursorField(description: string) {
  const length = { minLength: 1, maxLength: CURSOR_LENGTH_MAX }
  return Type.Optional(text(description, CURSOR, length))
}

/** Where a page begins that can also be found by cursor. */
export const offsetWithoutCursor = Type.Optional(
  integer('Number of rows to skip; 0 unless given. Not together with cursor', 0, {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
)

/** What a search takes that can be continued by cursor and return single fields of its rows. */
export function cursorPaging(row: TObject) {
  const names = Object.keys(row.properties)
  return {
    offset: offsetWithoutCursor,
    cursor: cursorField(
      'next_cursor of the page before; filters, sort and currency must be the same',
    ),
    fields: Type.Optional(
      list(oneOf(names, 'Name of a field'), 'Which fields the rows have; all unless given', {
        minItems: 1,
        maxItems: names.length,
      }),
    ),
  }
}

export const nextCursorField = nullable(
  text('What to send as cursor for the next page; null when this is the last one', CURSOR),
)

/** A row, or the fields of it that the request names. The console, which names none, has rows. */
export function withFields<Row extends TObject>(title: string, row: Row) {
  const some = Type.Partial(row, { title, additionalProperties: false })
  return Type.Unsafe<Static<Row>>(Type.Union([row, some]))
}

/** The empty response of a deletion. */
export const Removed = Type.Null({ description: 'Removed' })

/** `limit` of the lists of stock, orders and money, suppliers and people. */
export const listLimit = limitField(100, 500)

export const ListQuery = inlineObject({ limit: listLimit, offset: offsetField })

/** `limit` and `offset` of the other lists: settings, keys, holds, merchants, webhooks. */
export const PageQuery = inlineObject({ limit: limitField(100, 1000), offset: offsetField })

/** What a list can be sorted by, and in which direction it is unless the caller names one. */
export function sortFields<Column extends string>(
  columns: readonly Column[],
  absent: { col: Column; order: 'asc' | 'desc' },
) {
  const { col, order } = absent
  return {
    sort_col: Type.Optional(oneOf(columns, `Column to sort by; ${col} unless given`)),
    sort_order: Type.Optional(oneOf(['asc', 'desc'], `Sort direction; ${order} unless given`)),
  }
}

/** `ListQuery` for lists whose rows belong to suppliers. */
export const SupplierPageQuery = inlineObject({
  supplier: Type.Optional(text('Only rows of this supplier', 'Surat Gems', { maxLength: 200 })),
  ...ListQuery.properties,
})

/** Which files of a history are listed. */
export const fileNameField = Type.Optional(
  text('Only files whose name contains this, in upper or lower case', '.csv', {
    maxLength: 200,
    pattern: WITHOUT_NULL,
  }),
)

/** Schema of a page of a v3 list: the rows under their name, then total, offset and limit. */
export function pageOf<Name extends string, Row extends TSchema>(
  title: string,
  name: Name,
  row: Row,
) {
  const rows = { [name]: list(row, 'The rows of this page') } as Record<
    Name,
    ReturnType<typeof Type.Array<Row>>
  >
  return object(title, {
    ...rows,
    total: integer('Total number of rows', 1),
    offset: integer('Number of rows skipped', 0),
    limit: integer('Maximum number of rows on a page', 100),
  })
}

/** Returns the page of a list that is already read completely. */
export function pageFrom<Name extends string, Row>(
  name: Name,
  rows: readonly Row[],
  { limit, offset }: { limit: number; offset: number },
) {
  const page = rows.slice(offset, offset + limit)
  return { [name]: page, total: rows.length, offset, limit } as Record<Name, Row[]> & {
    total: number
    offset: number
    limit: number
  }
}
