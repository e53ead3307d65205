import type { Generated } from 'kysely'
import type { Json, Sealed, Timestamp } from './columns.ts'

/** E-mails and what they are made from. */
export interface MailTables {
  mail: MailTable
  notice_place: { only_row: Generated<boolean>; last: number }
  notice: NoticeTable
  notice_recipient: { user_uuid: string; notice_uuid: string; mailed_on: Timestamp | null }
  notice_setting: NoticeSettingTable
  unsubscribe_token: { token: string; user_uuid: string }
  hold_reminder: { hold_uuid: string; expires_on: Timestamp }
}

export const MAIL_STATES = ['pending', 'sent', 'failed', 'expired'] as const
export type MailState = (typeof MAIL_STATES)[number]

export interface MailTable {
  uuid: string
  kind: string
  recipient: string
  subject: string
  body_text: string | null
  body_html: string | null
  sealed_body: Sealed | null
  unsubscribe_url: string | null
  state: Generated<MailState>
  attempts: Generated<number>
  due_on: Timestamp
  started_on: Timestamp
  useful_until: Timestamp | null
  sent_on: Timestamp | null
  last_status: number | null
  last_error: string | null
  created_on: Generated<Timestamp>
}

/** What a notice says, without its subject. */
export interface NoticeContent {
  /** Whole sentences, in English. */
  lead: string
  items: NoticeItem[]
  /** How many items are left out. */
  more: number
  /** What the text was written from; notices from before there were any lack them. */
  details?: NoticeDetails
}

interface NoticeItem {
  title: string
  detail: string
}

/** What a notice speaks of: its text is written from it, in any language. */
export interface NoticeDetails {
  event_type: string
  order?: NoticeOrder
  merchant?: string
  suppliers?: string[]
  /** Units of an order, lines of an order, quote or return, or stones. */
  quantity?: number
  amount?: number
  currency_code?: string
  due_on?: string
  ends_on?: string
  reason?: string
  tracking_company?: string
  tracking_number?: string
  by?: string
  awaits_confirmation?: boolean
  has_substitutes?: boolean
  /** Of a saved search, or of a visitor. */
  name?: string
  email?: string
  message?: string
  feed_url?: string
  failure?: string
  items: NoticeProduct[]
}

export interface NoticeOrder {
  order_type: 'invoice' | 'memo'
  /** Of the order or memo; null for suppliers, for whom an order has no number. */
  number: string | null
  ordered_on: string
}

export interface NoticeProduct {
  sku: string
  /** Only for suppliers. */
  vendor_sku?: string
  quantity: number
  /** In English, as an order has it. */
  description?: string
  stone?: NoticeStone
  /** Of one, in the currency of the notice. */
  price?: number
  offer_price?: number
  /** What happened to a watched stone. */
  change?: string
}

export interface NoticeStone {
  weight: number | null
  shape: string | null
  type: string | null
  species: string | null
  color: string | null
  clarity: string | null
  lab: string | null
  cert_num: string | null
}

export interface NoticeTable {
  uuid: string
  event_uuid: string
  merchant_uuid: string | null
  supplier_uuid: string | null
  kind: string
  subject: string
  content: Json<NoticeContent>
  path: string
  created_on: Timestamp
}

interface NoticeSettingTable {
  uuid: Generated<string>
  user_uuid: string | null
  merchant_uuid: string | null
  supplier_uuid: string | null
  kinds: Json<Record<string, boolean>>
  updated_on: Generated<Timestamp>
}
