/** What orders may be sorted by, and the column behind it. */
export const SORTS = {
  created_on: 'ordered_on',
  ordered_on: 'ordered_on',
  total: 'total',
  merchant_legal_dba: 'merchant_legal_dba',
} as const

export type OrderSort = keyof typeof SORTS
