import type { FastifyRequest } from 'fastify'

/**
 * What a call counts as in the minute of its token and of its merchant. A call counts as 1 unless
 * its route declares one of these costs. The unit is the work of a plain search, a page of 50
 * stones. The costs are rounded ratios to it, as bench/event-loop.ts prints them. The documents
 * show `text`.
 */
export interface CallCost {
  text: string
  /**
   * A number is known before the body is read; a handler whose number is 0 charges by itself. A
   * function reads the validated request. 'later' means that the handler calls `request.charge` as
   * soon as it knows, before the work.
   */
  of: number | 'later' | ((request: FastifyRequest) => number)
}

/** A page of 1,000 stones is as much work as five of 50, most of it bytes. */
const ROWS_PER_UNIT = 250
/** Facets count all matching stones, however few are on the page. */
const FACETS = 3
/** When nothing matches, up to twenty searches with fewer filters. */
const RELAXATIONS = 3
/** 50,000 stones are read and priced twice. */
const PREVIEW = 50
/** Hundreds of thousands of stones are read, priced and sent. */
const SNAPSHOT = 100

interface SearchBody {
  limit?: number
  include?: readonly string[]
}

export const COSTS = {
  search: {
    text:
      `Counts as 1 for every ${ROWS_PER_UNIT} stones of the page; facets add ${FACETS}, ` +
      `relaxations ${RELAXATIONS}.`,
    of: ({ body }) => {
      // A saved search may be run without a body.
      const { limit, include = [] } = (body ?? {}) as SearchBody
      return (
        rowsCost(limit ?? 1) +
        (include.includes('facets') ? FACETS : 0) +
        (include.includes('relaxations') ? RELAXATIONS : 0)
      )
    },
  },
  query: {
    text: `Counts as 1 for every ${ROWS_PER_UNIT} rows of the page.`,
    of: ({ body }) => rowsCost((body as { limit: number }).limit),
  },
  list: {
    text: `Counts as 1 for every ${ROWS_PER_UNIT} rows of the page.`,
    of: ({ query }) => rowsCost((query as { limit: number }).limit),
  },
  /** Charged when the page is read: a call that waits does not know its changes before. */
  changes: {
    text: `Counts as 1 for every ${ROWS_PER_UNIT} changes of the page, and at least as 1.`,
    of: 'later',
  },
  curation: {
    text: 'Counts as 1 for each template that chooses.',
    of: 'later',
  },
  placement: {
    text: 'Counts as 1 for each line.',
    of: ({ body }) => (body as { line_items: readonly unknown[] }).line_items.length,
  },
  /** The operations that a tool calls count for themselves. */
  message: {
    text: 'Counts as the operations that its tool calls, and at least as 1.',
    of: 0,
  },
  preview: { text: `Counts as ${PREVIEW}.`, of: PREVIEW },
  snapshot: { text: `Counts as ${SNAPSHOT}.`, of: SNAPSHOT },
} as const satisfies Record<string, CallCost>

/** What a page of so many rows counts as. */
export function rowsCost(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_PER_UNIT))
}
