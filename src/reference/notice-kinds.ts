/** The kinds of notices, who gets which, and what a settings page calls them. */

export const NOTICE_KINDS = [
  'order_placed',
  'order_confirmed',
  'order_declined',
  'order_shipped',
  'order_cancelled',
  'return_steps',
  'quote_requested',
  'quote_answered',
  'memo_due',
  'hold_ending',
  'saved_search',
  'watched_stone',
  'enquiry',
  'feed_failing',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

export type Side = 'merchant' | 'supplier' | 'operator'

/** Whose notices: a merchant's, a supplier's, or (both null) the operator's. */
export interface NoticeOwner {
  merchant_uuid: string | null
  supplier_uuid: string | null
}

export const KINDS_OF = {
  merchant: [
    'order_placed',
    'order_confirmed',
    'order_declined',
    'order_shipped',
    'order_cancelled',
    'return_steps',
    'quote_answered',
    'memo_due',
    'hold_ending',
    'saved_search',
    'watched_stone',
    'enquiry',
  ],
  supplier: ['order_placed', 'order_cancelled', 'feed_failing'],
  operator: [
    'order_placed',
    'order_declined',
    'order_cancelled',
    'return_steps',
    'quote_requested',
    'memo_due',
    'feed_failing',
  ],
} as const satisfies Record<Side, readonly NoticeKind[]>

/**
 * Which roles get a kind; all roles of a merchant and of a supplier get every kind. What they tell
 * can be read by each of them, and a viewer who wants none switches them off.
 */
const OPERATOR_ROLES: Record<(typeof KINDS_OF.operator)[number], readonly string[]> = {
  order_placed: ['admin', 'sales'],
  order_declined: ['admin', 'sales'],
  order_cancelled: ['admin', 'sales'],
  return_steps: ['admin', 'sales'],
  quote_requested: ['admin', 'sales'],
  memo_due: ['admin', 'sales'],
  feed_failing: ['admin', 'stock'],
}

/** The roles that get a kind; undefined: all. */
export function rolesFor(side: Side, kind: NoticeKind): readonly string[] | undefined {
  if (side !== 'operator') return undefined
  return new Map<string, readonly string[]>(Object.entries(OPERATOR_ROLES)).get(kind) ?? []
}

const LABELS: Record<NoticeKind, string> = {
  order_placed: 'orders that are placed',
  order_confirmed: 'orders that are confirmed',
  order_declined: 'orders that are declined',
  order_shipped: 'orders that are shipped',
  order_cancelled: 'orders that are cancelled',
  return_steps: 'returns',
  quote_requested: 'offers for a price',
  quote_answered: 'answers to your offers',
  memo_due: 'memos that are due',
  hold_ending: 'holds that are about to end',
  saved_search: 'saved searches',
  watched_stone: 'stones that you watch',
  enquiry: "questions of your shop's visitors",
  feed_failing: 'feeds that fail',
}

/** How a sentence names a kind: "e-mails about orders that are placed". */
export function labelOf(kind: NoticeKind): string {
  return LABELS[kind]
}

export function isNoticeKind(text: string): text is NoticeKind {
  return (NOTICE_KINDS as readonly string[]).includes(text)
}
