import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateKey } from '../../../src/database/secrets/rotate-key.ts'
import { inTransaction } from '../../../src/database/transaction.ts'
import { dropLostSourceSecrets } from '../../../src/feeds/sources/source-store.ts'
import { TEST_SECRET_KEY, testSecrets } from '../../support/secrets.ts'
import { makeCertificate } from './ftp-server.ts'
import { csvOf, FETCHING, openSourceMarket, type SourceMarket, stones } from './source-support.ts'
import { openWebServer, type WebServer } from './web-server.ts'

let market: SourceMarket
let web: WebServer
let logged: string
beforeEach(async () => {
  logged = ''
  const write = (line: string) => {
    logged += line
  }
  const log = pino({ level: 'trace' }, { write })
  web = await openWebServer(csvOf(stones(5)))
  const allowedHosts = [`127.0.0.1:${web.port}`]
  market = await openSourceMarket({ log, sources: { allowedHosts, ...FETCHING } })
})
afterEach(async () => {
  await market.close()
  await web.close()
})

const db = () => market.database.db
const operator = () => ({ token: market.adminKey })
const PATH = '/api/operator/sources'
const PASSWORD = 'opensesame-4711'
const TOKEN = 'a1b2c3d4e5f6a7b8c9'
const GOOD_URL = 'https://other.example/stock.csv'

describe('The secrets of a source', () => {
  it('are in no response, log line, event or table in clear text', async () => {
    // A server that repeats what it was sent, in the reason of its refusal.
    web.respond = (request, response) => {
      const isRight = request.url?.includes(TOKEN) && request.headers.authorization
      response.writeHead(isRight ? 302 : 401, { location: `http://10.0.0.1/?${TOKEN}&${PASSWORD}` })
      response.end(`${TOKEN} ${PASSWORD}`)
    }
    const url = `${web.url}/stock.csv?api_key=${TOKEN}&format=csv`
    const body = { supplier: 'Gems Ltd', url, user: 'pavilion', password: PASSWORD }
    const added = await market.call('POST', PATH, { ...operator(), body })
    expect(added.body).toMatchObject({
      url: `${web.url}/stock.csv?api_key=hidden&format=csv`,
      user: 'pavilion',
      has_password: true,
    })
    const run = await market.run(added.body.uuid)
    expect(run).toMatchObject({ outcome: 'failed', code: 'address_not_allowed' })
    const { uuid } = added.body
    await market.call('PATCH', `${PATH}/${uuid}`, { ...operator(), body: { every: '3h' } })
    const shown = [
      added.text,
      (await market.call('GET', PATH, operator())).text,
      (await market.call('GET', `${PATH}/${uuid}`, operator())).text,
      (await market.call('GET', '/api/operator/events', operator())).text,
      JSON.stringify(run),
      await wholeDatabase(),
      logged,
    ]
    expect(logged).toContain(PATH)
    for (const text of shown) {
      expect(text).not.toContain(PASSWORD)
      expect(text).not.toContain(TOKEN)
      expect(text).not.toContain(Buffer.from(PASSWORD).toString('base64').slice(2, -4))
    }
    expect(web.requests.length).toBeGreaterThan(0)
  })

  it('are encrypted again when the key is rotated, and still open', async () => {
    const { uuid } = await market.add({
      url: `${web.url}/stock.csv`,
      user: 'pavilion',
      password: PASSWORD,
    })
    const before = await storedPassword(uuid)
    const keys = testSecrets(['another key of stored secrets, for tests', TEST_SECRET_KEY])
    const { sealed } = await rotateKey([db()], keys)
    expect(sealed).toBe(1)
    expect(await storedPassword(uuid)).not.toBe(before)
    market.app.services.sourceRunner.secrets = keys
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done' })
    const sent = Buffer.from(`pavilion:${PASSWORD}`).toString('base64')
    expect(web.requests[0].headers.authorization).toBe(`Basic ${sent}`)
  })

  it('are not sent to another server, unless they are given again', async () => {
    const { uuid } = await market.add({
      url: 'https://feeds.example/stock.csv',
      user: 'pavilion',
      password: PASSWORD,
    })
    const change = (body: object) =>
      market.call('PATCH', `${PATH}/${uuid}`, { ...operator(), body })
    for (const url of [`${web.url}/stock.csv`, 'http://feeds.example/stock.csv']) {
      const refused = await change({ url })
      expect([refused.status, refused.body.errors?.[0].field], url).toEqual([422, 'password'])
    }
    expect((await change({ url: 'https://feeds.example/new.csv' })).status).toBe(200)
    expect((await change({ url: `${web.url}/stock.csv`, password: 'another' })).status).toBe(200)
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done' })
    const sent = Buffer.from('pavilion:another').toString('base64')
    expect(web.requests[0].headers.authorization).toBe(`Basic ${sent}`)
    expect((await change({ url: GOOD_URL, password: null, user: null })).body).toMatchObject({
      url: GOOD_URL,
      has_password: false,
    })
  })

  it('are not replaced by the word that stands for them', async () => {
    const { uuid, url } = await market.add({ url: `${web.url}/stock.csv?api_key=${TOKEN}` })
    const options = { ...operator(), body: { url: url.replace('stock', 'new') } }
    const { status, body } = await market.call('PATCH', `${PATH}/${uuid}`, options)
    expect([status, body.errors[0].field]).toEqual([422, 'url'])
    expect(body.detail).toContain('api_key')
    await market.run(uuid)
    expect(web.requests[0].path).toContain(TOKEN)
  })

  it('are given up when their key is lost: the source is paused', async () => {
    const { uuid } = await market.add({
      url: `${web.url}/stock.csv`,
      user: 'pavilion',
      password: PASSWORD,
    })
    const other = testSecrets(['a key that sealed nothing, for tests only'])
    market.app.services.sourceRunner.secrets = other
    expect(await market.run(uuid)).toMatchObject({
      outcome: 'failed',
      code: 'secret_key_missing',
    })
    const dropped = await inTransaction(db(), (tx) => dropLostSourceSecrets(tx, other))
    expect(dropped).toEqual([uuid])
    expect(await market.show(uuid)).toMatchObject({ state: 'paused', has_password: false })
  })
})

describe('An address in a private network', () => {
  it('is refused, however it is written', async () => {
    const urls = [
      'http://10.1.2.3/stock.csv',
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]:9/stock.csv',
      'http://localhost/stock.csv',
      'http://0x7f000001/stock.csv',
      'sftp://127.0.0.1/stock.csv',
      'sftp://2130706433/stock.csv',
      'ftp://192.168.0.1/stock.csv',
      'ftps://localhost/stock.csv',
    ]
    for (const url of urls) {
      const access = url.startsWith('sftp') ? { user: 'pavilion', password: PASSWORD } : {}
      const { uuid } = await market.add({ url, ...access })
      const run = await market.run(uuid)
      expect(run, url).toMatchObject({ outcome: 'failed', code: 'address_not_allowed' })
      expect(run.failure).toContain('SOURCE_ALLOWED_HOSTS')
    }
  })

  it('is refused in a redirect', async () => {
    const secret = await openWebServer('internal')
    web.respond = (_request, response) =>
      void response.writeHead(302, { location: `${secret.url}/metadata` }).end()
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    const run = await market.run(uuid)
    expect(run).toMatchObject({ outcome: 'failed', code: 'address_not_allowed' })
    expect(run.failure).toContain(`127.0.0.1:${secret.port}`)
    expect(secret.requests).toEqual([])
    await secret.close()
  })

  it('is not reached from the web as a file', async () => {
    web.respond = (_request, response) =>
      void response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    const { uuid } = await market.add({ url: `${web.url}/stock.csv` })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'failed', code: 'bad_response' })
  })
})

describe('A web server with TLS', () => {
  it('is trusted by its certificate, or by the fingerprint that the operator gave', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pavilion-tls-'))
    const fingerprint = makeCertificate(folder)
    const [key, cert] = await Promise.all(
      ['key.pem', 'certificate.pem'].map((name) => readFile(join(folder, name))),
    )
    let isAsked = false
    const server = createSecureServer({ key, cert }, (_request, response) => {
      isAsked = true
      response.end(web.file)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    market.app.services.sourceRunner.settings.allowedHosts = [`127.0.0.1:${port}`]
    try {
      const url = `https://127.0.0.1:${port}/stock.csv`
      const { uuid } = await market.add({ url })
      const run = await market.run(uuid)
      expect(run).toMatchObject({ outcome: 'failed', code: 'untrusted_host' })
      expect(run.failure).toContain(fingerprint)
      expect(isAsked).toBe(false)
      const trusted = await market.add({ url, host_key: fingerprint })
      expect(await market.run(trusted.uuid)).toMatchObject({ outcome: 'done', added: 5 })
    } finally {
      server.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})

async function storedPassword(uuid: string): Promise<string> {
  const { rows } = await sql<{ password: string }>`
    select password from feed_source where uuid = ${uuid}`.execute(db())
  return rows[0].password
}

/** Every row of every table, as text. */
async function wholeDatabase(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(db())
  const texts: string[] = []
  for (const { name } of rows) {
    const found = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.raw(name)} as t`.execute(db())
    texts.push(...found.rows.map(({ row }) => row))
  }
  return texts.join('\n')
}
