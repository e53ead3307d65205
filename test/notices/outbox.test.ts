import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { ConfigError } from '../../src/lib/settings.ts'
import {
  countMails,
  listMails,
  type NewMail,
  queueMail,
  removeOldMails,
  retryMails,
} from '../../src/notices/outbox/mail-store.ts'
import { startMailSender } from '../../src/notices/outbox/send-mails.ts'
import { type MailSettings, openTransport } from '../../src/notices/outbox/smtp.ts'
import { eventually } from '../events/webhook-support.ts'
import { cloneDatabase } from '../support/database.ts'
import { testSecrets } from '../support/secrets.ts'
import { type MailServer, openMailServer, settingsFor } from './mail-server.ts'

let database: Database
let drop: () => Promise<void>
const secrets = testSecrets()
let server: MailServer
const senders: ReturnType<typeof startMailSender>[] = []
const reported: unknown[] = []

beforeAll(async () => {
  const clone = await cloneDatabase()
  drop = () => clone.drop()
  database = openDatabase({ url: clone.url })
})
afterAll(async () => {
  await database.close()
  await drop()
})

beforeEach(async () => {
  await sql`truncate mail`.execute(database.db)
  reported.length = 0
  server = await openMailServer()
})
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()))
  await server.close()
})

function start(settings: MailSettings = server.settings) {
  const sender = startMailSender(database.db, secrets, settings, {
    onError: (error) => reported.push(error),
    onAway: (error) => reported.push(error),
  })
  senders.push(sender)
  return sender
}

const MAIL: NewMail = {
  to: 'buyer@shop.example',
  subject: 'Order 1001',
  text: 'Thank you.',
  html: '<p>Thank you.</p>',
  kind: 'order_placed',
}

const queue = (mail: Partial<NewMail> = {}) =>
  inTransaction(database.db, (tx) => queueMail(tx, { ...MAIL, ...mail }))

const states = async () => {
  const { mails } = await listMails(database.db, { limit: 1000, offset: 0 })
  return mails.map(({ state }) => state)
}
const allSent = () => eventually(states, (found) => found.every((state) => state === 'sent'))

describe('a mail', () => {
  it('is sent in text and HTML, with its own id and a way to stop such mails', async () => {
    const url = 'https://gems.example/unsubscribe/abc?kind=order_placed'
    const uuid = await queue({ unsubscribeUrl: url })
    start()
    await allSent()
    const [mail] = server.received
    expect(mail).toMatchObject({ to: 'buyer@shop.example', from: 'orders@gems.example' })
    expect(mail.header('from')).toBe('Gems <orders@gems.example>')
    expect(mail.header('message-id')).toBe(`<${uuid}@gems.example>`)
    expect(mail.header('auto-submitted')).toBe('auto-generated')
    expect(mail.header('list-unsubscribe')).toBe(`<${url}>`)
    expect(mail.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(mail.raw).toContain('text/plain')
    expect(mail.raw).toContain('<p>Thank you.</p>')
  })

  it('is not sent when the transaction is rolled back', async () => {
    await inTransaction(database.db, async (tx) => {
      await queueMail(tx, MAIL)
      throw new Error('no')
    }).catch(() => {})
    expect(await states()).toEqual([])
  })

  it('is sent by exactly one of several nodes', async () => {
    const count = 60
    start()
    start()
    await Promise.all(
      Array.from({ length: count }, (_, n) => queue({ to: `buyer-${n}@shop.example` })),
    )
    for (const sender of [start(), start()]) sender.wake()
    await allSent()
    expect(new Set(server.received.map(({ to }) => to)).size).toBe(count)
    expect(server.received).toHaveLength(count)
  })

  it('has one line of subject and one recipient, whatever they contain', async () => {
    await queue({ subject: 'Ring\r\nBcc: thief@evil.example\u2028\u0000x' })
    start()
    await allSent()
    const [mail] = server.received
    expect(mail.header('subject')).toBe('Ring Bcc: thief@evil.example x')
    expect(mail.header('bcc')).toBeUndefined()
    for (const to of [
      'a@b.example, c@d.example',
      'a@b.example\r\nBcc: c@d.example',
      'a',
      'a@b c',
    ]) {
      await expect(queue({ to })).rejects.toThrow('one address')
    }
  })

  it('with a secret link is stored encrypted, and its text is removed when it is sent', async () => {
    const link = 'https://gems.example/sign-in/5ecret'
    await inTransaction(database.db, (tx) => queueMail(tx, { ...MAIL, text: link }, secrets))
    const stored = () => sql`select mail::text from mail`.execute(database.db)
    expect(JSON.stringify((await stored()).rows)).not.toContain('5ecret')
    start()
    await allSent()
    expect(server.received[0].raw).toContain(link)
    const { rows } = await sql<{ sealed_body: string | null }>`
      select sealed_body from mail`.execute(database.db)
    expect(rows).toEqual([{ sealed_body: null }])
  })

  it('that is of no use any more is not sent', async () => {
    await queue({ usefulMinutes: 15 })
    await sql`update mail set useful_until = useful_until - interval '16 minutes'`.execute(
      database.db,
    )
    start()
    await eventually(states, ([state]) => state === 'expired')
    expect(server.received).toEqual([])
  })

  it('is removed after 30 days', async () => {
    await queue()
    await queue()
    await sql`update mail set created_on = created_on - interval '31 days'
      where uuid = (select uuid from mail limit 1)`.execute(database.db)
    await removeOldMails(database.db)
    expect(await states()).toHaveLength(1)
  })
})

describe('a mail server', () => {
  it('that is away loses and doubles nothing', async () => {
    const { port } = server
    await server.close()
    for (let n = 0; n < 20; n++) await queue({ to: `buyer-${n}@shop.example` })
    start(settingsFor(`smtp://127.0.0.1:${port}`))
    await eventually(
      async () => reported.length,
      (count) => count > 3,
    )
    expect(await countMails(database.db)).toMatchObject({ waiting: 20, failed: 0 })
    server = await openMailServer({}, port)
    await allSent()
    expect(server.received.map(({ to }) => to).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, n) => `buyer-${n}@shop.example`).toSorted(),
    )
  })

  it('that says "later" gets the mail again, with the same id', async () => {
    let refusals = 2
    server.refuse = () => (refusals-- > 0 ? 451 : undefined)
    const uuid = await queue()
    start()
    await allSent()
    expect(server.received.map((mail) => mail.header('message-id'))).toEqual([
      `<${uuid}@gems.example>`,
    ])
    const { mails } = await listMails(database.db, { limit: 1, offset: 0 })
    expect(mails[0]).toMatchObject({ attempts: 3, last_error: null })
  })

  it('that refuses a mail for good does not get it again, and the others are sent', async () => {
    server.refuse = (to) => (to.startsWith('nobody') ? 550 : undefined)
    const refused = await queue({ to: 'nobody@shop.example' })
    await queue()
    start()
    await eventually(states, (found) => found.toSorted().join() === 'failed,sent')
    const { mails, total } = await listMails(database.db, {
      state: 'failed',
      limit: 9,
      offset: 0,
    })
    expect(total).toBe(1)
    expect(mails[0]).toMatchObject({ uuid: refused, last_status: 550, attempts: 1 })
    expect(await countMails(database.db)).toMatchObject({ waiting: 0, failed: 1 })

    server.refuse = () => undefined
    await inTransaction(database.db, (tx) => retryMails(tx, refused))
    senders[0].wake()
    await allSent()
    expect(server.received.map(({ to }) => to)).toContain('nobody@shop.example')
  })

  it('that takes its time is not given the mail twice', async () => {
    let release = () => {}
    server.beforeAccepting = () =>
      new Promise((done) => {
        release = done
      })
    await queue()
    const first = start()
    const second = start()
    for (let n = 0; n < 20; n++) {
      first.wake()
      second.wake()
      await new Promise((done) => setTimeout(done, 10))
    }
    release()
    await allSent()
    expect(server.received).toHaveLength(1)
  })

  it('that stays silent gets the mail again', async () => {
    let isSilent = true
    server.beforeAccepting = () => (isSilent ? new Promise(() => {}) : Promise.resolve())
    await queue()
    start({ ...server.settings, silenceMs: 2_000 })
    await eventually(
      async () => reported.length,
      (count) => count > 0,
    )
    isSilent = false
    await allSent()
    expect(server.received).toHaveLength(1)
  })

  it('that does not accept the password is tried again, and the password is shown nowhere', async () => {
    await server.close()
    const accepts = { password: false }
    server = await openMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        accepts.password && password === 'pa55:word'
          ? done(null, { user: 'gems' })
          : done(new Error('Invalid password')),
    })
    const settings = settingsFor(`smtp://gems:pa55%3Aword@127.0.0.1:${server.port}`)
    await queue()
    start(settings)
    await eventually(
      async () => reported.length,
      (count) => count > 0,
    )
    const problem = await openTransport(settings).check()
    const { mails } = await listMails(database.db, { limit: 1, offset: 0 })
    expect(mails[0]).toMatchObject({ state: 'pending', last_status: 535 })
    expect(problem).toContain('Invalid password')
    expect(JSON.stringify([problem, mails, reported.map(String)])).not.toContain('pa55')
    accepts.password = true
    await allSent()
    expect(await openTransport(settings).check()).toBeUndefined()
  })
})

describe('the settings', () => {
  const read = (env: NodeJS.ProcessEnv) => readConfig(env, '/nowhere').mail
  const from = { MAIL_FROM: 'Gems <orders@gems.example>' }

  it('send no mail unless SMTP_URL is set', () => {
    expect(read({})).toBeUndefined()
    expect(read(from)).toBeUndefined()
  })

  it('need encryption for a password, and a valid certificate, except on this machine', () => {
    const server = (url: string) => read({ ...from, SMTP_URL: url })?.server
    expect(server('smtp://gems:p%40ss@mail.example')).toMatchObject({
      port: 587,
      isTls: false,
      needsTls: true,
      checksCertificate: true,
      login: { user: 'gems', password: 'p@ss' },
    })
    expect(server('smtp://mail.example:25')).toMatchObject({ port: 25, needsTls: false })
    expect(server('smtps://u:p@mail.example')).toMatchObject({ port: 465, isTls: true })
    expect(server('smtp://u:p@localhost:25')).toMatchObject({
      needsTls: false,
      checksCertificate: false,
    })
    expect(server('smtp://u:p@mail.lan?requireTLS=false&verify=false')).toMatchObject({
      needsTls: false,
      checksCertificate: false,
    })
  })

  it('are refused with a message that says what to write, and without the password', () => {
    const message = (env: NodeJS.ProcessEnv) => {
      try {
        read(env)
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError)
        return (error as Error).message
      }
      return undefined
    }
    const example = 'such as smtp://user:password@mail.example:587'
    const secret = 's3cret'
    expect(message({ ...from, SMTP_URL: `http://u:${secret}@mail.example` })).toContain(example)
    expect(message({ ...from, SMTP_URL: `mail ${secret}` })).not.toContain(secret)
    expect(message({ ...from, SMTP_URL: 'smtp://mail.example?pool=true' })).toContain('"pool"')
    expect(message({ ...from, SMTP_URL: 'smtp://mail.example?verify=no' })).toContain(
      'true or false',
    )
    expect(message({ SMTP_URL: 'smtp://mail.example' })).toContain('MAIL_FROM must be an address')
    expect(message({ MAIL_FROM: 'Gems' })).toContain('such as Gems <orders@gems.example>')
    expect(message({ MAIL_FROM: 'a@b.example\nBcc: x@y.example' })).toContain('MAIL_FROM')
  })
})
