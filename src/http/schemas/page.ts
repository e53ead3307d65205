import { type TSchema, Type } from 'typebox'
import { inlineObject, integer, list, object } from './fields.ts'

export function limitField(absent: number, max: number) {
  return integer('Maximum number of rows', absent, { minimum: 1, maximum: max, default: absent })
}

export const offsetField = integer('Number of rows to skip', 0, {
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
})

/** The empty response of a deletion. */
export const Removed = Type.Null({ description: 'Removed' })

/** `limit` and `offset` of the v3 lists. */
export const PageQuery = inlineObject({ limit: limitField(100, 1000), offset: offsetField })

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
