import type { ExplainedMapping, ImportColumn } from '../api/imports.ts'

/** Comments about the file as a whole. */
const COMMENT_KEY = '//'

/**
 * The columns of a file that was refused, as far as they were understood. A mapping does not say
 * how sure a field is.
 */
export function explainedColumns(mapping: ExplainedMapping): ImportColumn[] {
  return Object.entries(mapping).flatMap(([column, entry]) => {
    const isObject = typeof entry === 'object' && entry !== null
    if (column === COMMENT_KEY || (isObject && 'value' in entry)) return []
    const field = isObject ? (entry.field ?? null) : entry
    const isUsed = typeof field === 'string' && field !== 'ignore'
    return [{ column, field: isUsed ? field : null, confidence: isUsed ? 1 : 0, reason: '' }]
  })
}
