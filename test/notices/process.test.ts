import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { listMails, queueMail } from '../../src/notices/outbox/mail-store.ts'
import { startMailSender } from '../../src/notices/outbox/send-mails.ts'
import { eventually } from '../events/webhook-support.ts'
import { runPavilion, startPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { testSecrets } from '../support/secrets.ts'
import { type MailServer, openMailServer } from './mail-server.ts'

let clone: ClonedDatabase
let database: Database
let mailServer: MailServer
let folder: string
let settings: Record<string, string>

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase({ url: clone.url })
  mailServer = await openMailServer()
  folder = mkdtempSync(join(tmpdir(), 'pavilion-mails-'))
  settings = {
    DATABASE_URL: clone.url,
    PAVILION_DATA: folder,
    PAVILION_DEMO: 'off',
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'Gems <orders@gems.example>',
  }
})
afterAll(async () => {
  await database.close()
  await clone.drop()
  await mailServer.close()
  rmSync(folder, { recursive: true, force: true })
})

function queue(to: string): Promise<string> {
  const mail = { to, subject: 'Order 1001', text: 'Thank you.', html: '<p>Thank you.</p>' }
  return inTransaction(database.db, (tx) => queueMail(tx, { ...mail, kind: 'order_placed' }))
}

const statesOf = async () => {
  const { mails } = await listMails(database.db, { limit: 10, offset: 0 })
  return mails.map(({ state }) => state)
}

describe('a server that is killed while it sends', () => {
  it('has lost no e-mail, and the next sender sends it once', async () => {
    let isOffered = false
    mailServer.beforeAccepting = () => {
      isOffered = true
      return new Promise(() => {})
    }
    await queue('buyer@shop.example')
    const server = await startPavilion(settings)
    await expect.poll(() => isOffered, { timeout: 60_000 }).toBe(true)
    await server.stop('SIGKILL')
    expect(await statesOf()).toEqual(['pending'])
    mailServer.beforeAccepting = async () => {}

    // The next sender would wait for the end of the killed one's lease.
    await sql`update mail set due_on = market_now()`.execute(database.db)
    const sender = startMailSender(database.db, testSecrets(), mailServer.settings, {
      onError: () => {},
    })
    await eventually(statesOf, (states) => states.every((state) => state === 'sent'))
    await sender.stop()
    expect(mailServer.received.map(({ to }) => to)).toEqual(['buyer@shop.example'])
  })
})

describe('pavilion notices', () => {
  it('lists e-mails and says when there are none', async () => {
    const uuid = await queue('second@shop.example')
    const listed = await runPavilion(['notices', 'list', '--state', 'pending'], settings)
    expect(listed.stdout).toContain('second@shop.example')
    const json = await runPavilion(['notices', 'list', '--state', 'pending', '--json'], settings)
    expect(JSON.parse(json.stdout)).toEqual([expect.objectContaining({ uuid, attempts: 0 })])
    const none = await runPavilion(['notices', 'list', '--state', 'failed'], settings)
    expect(none).toMatchObject({ code: 0, stdout: 'No e-mails.\n' })
  })

  it('sends an e-mail again that was given up', async () => {
    const waiting = await runPavilion(['notices', 'retry'], settings)
    expect(waiting.stdout).toBe('No e-mail waits for another attempt or was given up.\n')
    await sql`update mail set state = 'failed' where state = 'pending'`.execute(database.db)
    const retried = await runPavilion(['notices', 'retry'], settings)
    expect(retried).toMatchObject({ code: 0, stdout: 'One e-mail will be sent again.\n' })
    expect(await statesOf()).toContain('pending')
  })

  it('sends a test e-mail, or says why it cannot', async () => {
    const before = mailServer.received.length
    const sent = await runPavilion(['notices', 'test', '--to', 'you@gems.example'], settings)
    expect(sent.stdout).toContain('accepted the e-mail to you@gems.example')
    expect(mailServer.received.at(-1)).toMatchObject({ to: 'you@gems.example' })
    expect(mailServer.received).toHaveLength(before + 1)
    mailServer.refuse = () => 550
    const refused = await runPavilion(['notices', 'test', '--to', 'no@gems.example'], settings)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('did not accept the e-mail')
    const { SMTP_URL: _, ...without } = settings
    const unset = await runPavilion(['notices', 'test', '--to', 'you@gems.example'], without)
    expect(unset).toMatchObject({ code: 1, stdout: '' })
  })
})
