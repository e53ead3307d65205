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
  /** Whole sentences. */
  lead: string
  items: NoticeItem[]
  /** How many items are left out. */
  more: number
}

export interface NoticeItem {
  title: string
  detail: string
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
