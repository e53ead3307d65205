import type { Generated } from 'kysely'
import type { Sealed, Timestamp } from './columns.ts'

/** E-mails and what they are made from. */
export interface MailTables {
  mail: MailTable
}

const MAIL_STATES = ['pending', 'sent', 'failed', 'expired'] as const
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
