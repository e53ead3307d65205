import { type Selectable, sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Db, Tx } from '../../database/open.ts'
import type { Secrets } from '../../database/secrets/secrets.ts'
import type { MailState, MailTable } from '../../database/tables/mail.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isMailAddress } from '../../lib/smtp-url.ts'
import { newUuid } from '../../lib/uuid.ts'
import type { OutgoingMail } from './smtp.ts'

// Mails are timed by PostgreSQL's clock and not by the market's, which can be moved in a sandbox:
// the time of a mail server cannot.

export interface NewMail {
  to: string
  subject: string
  text: string
  html: string
  /** What the mail is about, for the operator's list. */
  kind: string
  /** Where its reader can stop such mails; only for mails that nobody asked for. */
  unsubscribeUrl?: string
  /** It is not sent any more after this long. */
  usefulMinutes?: number
}

/** A notification wakes the nodes, which then look for mails that are due. */
export const MAIL_CHANNEL = 'pavilion_mail'

/** As much as a subject's line in a list of mails shows, several times over. */
const SUBJECT_LENGTH_MAX = 200

/**
 * Writes a mail in the transaction of what it tells; it is sent after the commit. Give `secrets`
 * when the mail contains a link that signs somebody in: its text is then stored encrypted, and
 * removed when it is sent.
 */
export async function queueMail(tx: Tx, mail: NewMail, secrets?: Secrets): Promise<string> {
  if (!isMailAddress(mail.to)) throw new Error('a mail needs one address')
  const uuid = newUuid()
  const { text, html } = mail
  const sealed = await secrets?.seal(tx, JSON.stringify({ text, html }), bodyRowOf(uuid))
  await sql`
    insert into mail (uuid, kind, recipient, subject, body_text, body_html, sealed_body,
      unsubscribe_url, due_on, started_on, useful_until)
    values (${uuid}, ${mail.kind}, ${mail.to}, ${oneLine(mail.subject, SUBJECT_LENGTH_MAX)},
      ${sealed === undefined ? text : null}, ${sealed === undefined ? html : null},
      ${sealed ?? null}, ${mail.unsubscribeUrl ?? null}, clock_timestamp(), clock_timestamp(),
      clock_timestamp() + make_interval(mins => ${mail.usefulMinutes ?? null}::int))`.execute(tx)
  await sql`select pg_notify(${MAIL_CHANNEL}, '')`.execute(tx)
  return uuid
}

/**
 * Makes a text the subject of a mail. Control characters end a line of the header, and what follows
 * would be another field.
 */
export function oneLine(text: string, lengthMax: number): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length <= lengthMax ? line : `${line.slice(0, lengthMax - 1)}…`
}

/** A sealed body can be opened for its own mail only. */
function bodyRowOf(uuid: string): { table: string; uuid: string } {
  return { table: 'mail', uuid }
}

/** A mail that this node has claimed. */
export type DueMail = Selectable<MailTable> & { elapsed_ms: number }

/**
 * Claims due mails. Other nodes skip the rows that are being claimed, and find them due again only
 * after `leaseMs`, which `renewLease` prolongs while an attempt runs.
 */
export async function claimMails(
  db: Db,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    with due as (
      select uuid from mail where state = 'pending' and due_on <= clock_timestamp()
      order by due_on limit ${limit} for update skip locked
    )
    update mail set due_on = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    from due where mail.uuid = due.uuid
    returning mail.*,
      (extract(epoch from clock_timestamp() - started_on) * 1000)::float8 as elapsed_ms`.execute(db)
  return rows
}

export async function renewLease(db: Db, uuid: string, leaseMs: number): Promise<void> {
  await sql`update mail set due_on = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    where uuid = ${uuid} and state = 'pending'`.execute(db)
}

export async function openMail(mail: DueMail, secrets: Secrets): Promise<OutgoingMail> {
  const { uuid, recipient, subject, sealed_body, unsubscribe_url: unsubscribeUrl } = mail
  const body =
    sealed_body === null
      ? { text: mail.body_text ?? '', html: mail.body_html ?? '' }
      : (JSON.parse(await secrets.open(sealed_body, bodyRowOf(uuid))) as BodyTexts)
  return { uuid, recipient, subject, ...body, unsubscribeUrl }
}

interface BodyTexts {
  text: string
  html: string
}

export async function recordSent(db: Db, uuid: string): Promise<void> {
  await sql`update mail set state = 'sent', attempts = attempts + 1, sent_on = clock_timestamp(),
      last_status = null, last_error = null, sealed_body = null
    where uuid = ${uuid} and state = 'pending'`.execute(db)
}

/** Sets when a mail is tried again; without a wait it is given up. */
export async function recordFailure(
  db: Db,
  uuid: string,
  { status, error }: { status: number | null; error: string },
  waitMs: number | undefined,
): Promise<void> {
  const state = waitMs === undefined ? 'failed' : 'pending'
  await sql`update mail set state = ${state}, attempts = attempts + 1,
      due_on = clock_timestamp() + make_interval(secs => ${(waitMs ?? 0) / 1000}),
      last_status = ${status}::int, last_error = ${error},
      sealed_body = case when ${state} = 'pending' then sealed_body end
    where uuid = ${uuid} and state = 'pending'`.execute(db)
}

/** Ends mails that nobody needs any more, such as those with a link that has ended. */
export async function expireMails(db: Db): Promise<void> {
  await sql`update mail set state = 'expired', sealed_body = null
    where state = 'pending' and useful_until <= clock_timestamp()`.execute(db)
}

/** Returns in how many milliseconds the next mail is due; undefined when none is pending. */
export async function findNextMailMs(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(due_on) - clock_timestamp()) * 1000)::float8 as wait
    from mail where state = 'pending'`.execute(db)
  return rows[0].wait ?? undefined
}

export interface MailFigures {
  /** At most `COUNTED_MAX` each. */
  waiting: number
  failed: number
  /** How long the oldest mail waits to be sent. */
  waiting_seconds: number
}

/** Bounds the counts: whether a million or ten thousand wait makes no difference to an operator. */
const COUNTED_MAX = 10_000

export async function countMails(db: Db): Promise<MailFigures> {
  const { rows } = await sql<MailFigures>`
    select count(*) filter (where state = 'pending')::int as waiting,
      count(*) filter (where state = 'failed')::int as failed,
      coalesce(extract(epoch from clock_timestamp() - min(started_on)
        filter (where state = 'pending')), 0)::float8 as waiting_seconds
    from (
      (select state, started_on from mail where state = 'pending'
        order by due_on limit ${COUNTED_MAX})
      union all
      (select state, started_on from mail where state = 'failed'
        order by created_on desc limit ${COUNTED_MAX})
    ) as counted`.execute(db)
  return rows[0]
}

/** A mail as the operator's list shows it: without its text, which may contain a link. */
export type MailSummary = Omit<
  Selectable<MailTable>,
  'body_text' | 'body_html' | 'sealed_body' | 'unsubscribe_url' | 'started_on'
>

// biome-ignore format: a list of columns
const SUMMARY = [
  'uuid', 'kind', 'recipient', 'subject', 'state', 'attempts', 'due_on', 'useful_until', 'sent_on',
  'last_status', 'last_error', 'created_on',
] as const

interface MailQuery {
  state?: MailState | undefined
  limit: number
  offset: number
}

/** Newest first. */
export async function listMails(
  db: Db,
  { state, limit, offset }: MailQuery,
): Promise<{ mails: MailSummary[]; total: number }> {
  const all = db
    .selectFrom('mail')
    .$if(state !== undefined, (query) => query.where('state', '=', state as MailState))
  const mails = await all
    .select(SUMMARY)
    .orderBy('created_on', 'desc')
    .orderBy('uuid')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await all
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { mails, total }
}

export async function getMail(db: Db | Tx, uuid: string): Promise<MailSummary> {
  const mail = await db
    .selectFrom('mail')
    .select(SUMMARY)
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  if (!mail) throw new Refusal('not_found', `There is no mail ${uuid}.`)
  return mail
}

/**
 * Sends a mail that was given up, or that waits for its next attempt, as soon as possible. Returns
 * how many there are; all of them unless one is named. The text of a sealed one is gone.
 */
export async function retryMails(tx: Tx, uuid?: string): Promise<number> {
  const one = uuid === undefined ? sql`` : sql`and uuid = ${uuid}`
  const { rows } = await sql<{ uuid: string }>`
    update mail set state = 'pending', due_on = clock_timestamp(), started_on = clock_timestamp()
    where (state = 'failed' or (state = 'pending' and attempts > 0))
      and (body_text is not null or sealed_body is not null) ${one}
    returning uuid`.execute(tx)
  if (uuid !== undefined && rows.length === 0) {
    const detail = `There is no mail ${uuid} that waits for another attempt or was given up.`
    throw new Refusal('not_found', detail)
  }
  for (const { uuid: id } of rows) {
    const after = { state: 'pending' }
    await recordEntry(tx, { action: 'mail.retry', subject: { kind: 'mail', id }, after })
  }
  await sql`select pg_notify(${MAIL_CHANNEL}, '')`.execute(tx)
  return rows.length
}

const LOG_DAYS = 30

/** Removes old mails; none is tried for nearly as long. */
export async function removeOldMails(db: Db): Promise<void> {
  await sql`delete from mail
    where created_on < market_now() - make_interval(days => ${LOG_DAYS})`.execute(db)
}
