import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isMailAddress } from '../../lib/smtp-url.ts'
import { isNoticeKind } from '../../reference/notice-kinds.ts'
import { lockPlace } from '../notice-store.ts'
import { queueMail } from '../outbox/mail-store.ts'
import { unsubscribeTokenOf } from '../settings-store.ts'
import { listDueReaders, type Reader, takeNotices } from './recipient-store.ts'
import { type MailFrame, renderMail } from './render-mail.ts'

interface MailingSettings {
  publicUrl: string
  isSandbox: boolean
  /** How long after an e-mail its reader gets the next one; shorter in tests. */
  pauseMs?: number | undefined
}

/** As many users as one transaction writes to. */
const READERS_AT_ONCE = 100

/**
 * Writes the e-mails of all notices that wait for one, at most one for each user at a time: what
 * has come together since the last one becomes one mail. Any node may run it; one does at a time.
 */
export async function mailNotices(db: Db, settings: MailingSettings): Promise<number> {
  let mailed = 0
  for (;;) {
    if ((await listDueReaders(db, 1, settings.pauseMs)).length === 0) return mailed
    const count = await inTransaction(db, (tx) => mailSome(tx, settings))
    if (count === undefined) return mailed
    mailed += count
  }
}

/** Undefined: another node writes them. */
async function mailSome(tx: Tx, settings: MailingSettings): Promise<number | undefined> {
  if ((await lockPlace(tx)) === undefined) return undefined
  const readers = await listDueReaders(tx, READERS_AT_ONCE, settings.pauseMs)
  for (const reader of readers) await mailTo(tx, reader, settings)
  return readers.length
}

async function mailTo(tx: Tx, reader: Reader, settings: MailingSettings): Promise<void> {
  const taken = await takeNotices(tx, reader.uuid)
  const notices = taken.flatMap(({ kind, ...notice }) =>
    isNoticeKind(kind) ? [{ ...notice, kind }] : [],
  )
  if (notices.length === 0 || !isMailAddress(reader.email)) return
  const kinds = [...new Set(notices.map(({ kind }) => kind))]
  const frame: MailFrame = {
    ...settings,
    unsubscribeUrl: unsubscribeUrlOf(
      settings.publicUrl,
      await unsubscribeTokenOf(tx, reader.uuid),
      kinds,
    ),
  }
  await queueMail(tx, {
    to: reader.email,
    kind: kinds.length === 1 ? kinds[0] : 'digest',
    ...renderMail(notices, frame),
    unsubscribeUrl: frame.unsubscribeUrl,
  })
}

function unsubscribeUrlOf(publicUrl: string, token: string, kinds: readonly string[]): string {
  return `${publicUrl}/unsubscribe/${token}?kinds=${kinds.join(',')}`
}

/** Woken often, so it looks before it takes a lock. */
export async function hasWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from notice_recipient where mailed_on is null) as found`.execute(db)
  return rows[0].found
}
