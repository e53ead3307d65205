import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SecretKey } from '../../src/database/secrets/keyring.ts'
import { prepareSecrets, rotateKey } from '../../src/database/secrets/rotate-key.ts'
import { countSecrets } from '../../src/database/secrets/secret-store.ts'
import { openSecrets, type Secrets, sealWith } from '../../src/database/secrets/secrets.ts'
import { buildApp } from '../../src/http/app.ts'
import { newUuid } from '../../src/lib/uuid.ts'
import { addStones, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import type { TestMerchant } from '../support/market.ts'
import { testSecrets } from '../support/secrets.ts'
import { openReceiver, type Receiver } from './webhook-support.ts'

/** A market whose key is in a file, as with the embedded database. */
let market: OrderMarket
let folder: string
let receiver: Receiver
let shop: TestMerchant
const allowedHosts: string[] = []

const fileSecrets = (): Secrets =>
  openSecrets({ secretKeys: [], dataFolder: folder }, { mayCreateKey: true })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pavilion-secrets-'))
  const webhooks = { allowedHosts, firstWaitMs: 30, timeoutMs: 2_000 }
  market = await openOrderMarket({ webhooks, secrets: fileSecrets() })
  receiver = await openReceiver()
  allowedHosts.push(receiver.host)
  shop = await market.merchant()
})
afterAll(async () => {
  await market.close()
  await receiver.close()
  await rm(folder, { recursive: true })
})

async function register(headers: Record<string, string> = {}) {
  const options = { token: shop.key, body: { url: receiver.url }, headers }
  const created = await market.call('POST', '/api/v3/webhooks', options)
  expect(created.status).toBe(201)
  return created.body as { uuid: string; secret: string }
}

const remove = (uuid: string) =>
  market.call('DELETE', `/api/v3/webhooks/${uuid}`, { token: shop.key })

/** Places an order and waits for its message. */
async function orderAndReceive() {
  const before = receiver.received.length
  const [sku] = await addStones(market.database.db, 1)
  await market.place([sku], { by: shop.key })
  await receiver.until(before + 1)
  return receiver.received[before]
}

function verify(secret: string, { text, headers }: Receiver['received'][number]): void {
  new Webhook(secret).verify(text, headers as Record<string, string>)
}

/** All rows of all tables as text, as a dump has them. */
async function dump(): Promise<string> {
  const { db } = market.database
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`
      select row::text as text from ${sql.table(name)} as row`.execute(db)
    texts.push(...rows.map(({ text }) => text))
  }
  return texts.join('\n')
}

const keysOfSecrets = async () =>
  (await countSecrets(market.database.db)).map(({ key_id }) => key_id)

describe('the secret of a webhook', () => {
  it('is in no table, however it is written there', async () => {
    const { uuid, secret } = await register({ 'idempotency-key': 'register-once' })
    const rotated = await market.call('POST', `/api/v3/webhooks/${uuid}/rotate`, {
      token: shop.key,
      headers: { 'idempotency-key': 'rotate-once' },
    })
    verify(rotated.body.secret, await orderAndReceive())
    verify(secret, await orderAndReceive())
    const text = await dump()
    expect(text).toContain(uuid)
    for (const each of [secret, rotated.body.secret]) {
      const base64 = each.replace('whsec_', '')
      const bytes = Buffer.from(base64, 'base64')
      for (const form of [base64, bytes.toString('hex'), bytes.toString('base64url')]) {
        expect(text).not.toContain(form)
      }
      expect(text).not.toContain(Buffer.from(each).toString('hex'))
    }
    await remove(uuid)
  })

  it('cannot be moved to the webhook of somebody else', async () => {
    const [one, two] = [await register(), await register()]
    const { db } = market.database
    await sql`update webhook_endpoint set secret = (select secret from webhook_endpoint
      where uuid = ${one.uuid}) where uuid = ${two.uuid}`.execute(db)
    const { secret } = await db
      .selectFrom('webhook_endpoint')
      .select('secret')
      .where('uuid', '=', two.uuid)
      .executeTakeFirstOrThrow()
    const at = (uuid: string) => ({ table: 'webhook_endpoint', uuid })
    const { secrets } = market.deps
    expect(await secrets.open(secret, at(one.uuid))).toBe(one.secret)
    await expect(secrets.open(secret, at(two.uuid))).rejects.toThrow('was changed, or is another')
    await Promise.all([remove(one.uuid), remove(two.uuid)])
  })
})

describe('the key file', () => {
  it('can be read by its owner only, and is not written into the database', async () => {
    const path = join(folder, 'secret.key')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const key = (await readFile(path, 'utf8')).trim().split('\n').at(-1) ?? ''
    expect(key).toMatch(/^[\w-]{43}$/)
    expect(await dump()).not.toContain(key)
  })

  it('loses no key when two nodes create one at once, or its last line was cut off', async () => {
    const other = await mkdtemp(join(tmpdir(), 'pavilion-secrets-'))
    const settings = { secretKeys: [], dataFolder: other }
    const nodes = Array.from({ length: 8 }, () => openSecrets(settings, { mayCreateKey: true }))
    const ids = (await Promise.all(nodes.map((node) => node.createKey()))).map(({ id }) => id)
    const path = join(other, 'secret.key')
    await writeFile(path, `${await readFile(path, 'utf8')}cut-o`)
    ids.push((await nodes[0].createKey()).id)
    const [first, ...others] = await openSecrets(settings, { mayCreateKey: false }).keys.list()
    expect(first.id).toBe(ids.at(-1))
    expect([first, ...others].map(({ id }) => id).sort()).toEqual(ids.sort())
    await rm(other, { recursive: true })
  })
})

describe('a rotation of the key', () => {
  it('leaves every message signed while two nodes deliver, also for new webhooks', async () => {
    const node = await buildApp({ ...market.deps, secrets: fileSecrets() })
    await node.ready()
    const webhooks = [await register()]
    const before = receiver.received.length
    const skus = await addStones(market.database.db, 24)
    let rotations = 0
    let ordering = true
    const rotating = (async () => {
      for (; ordering; rotations++) await rotateKey([market.database.db], fileSecrets())
    })()
    let expected = 0
    for (const sku of skus) {
      await market.place([sku], { by: shop.key })
      expected += webhooks.length
      if (webhooks.length < 4) webhooks.push(await register())
    }
    ordering = false
    await rotating
    await receiver.until(before + expected)
    for (const message of receiver.received.slice(before)) {
      expect(webhooks.filter(({ secret }) => canVerify(secret, message))).toHaveLength(1)
    }
    expect(rotations).toBeGreaterThan(2)
    const [{ id }] = await fileSecrets().keys.list()
    expect(await keysOfSecrets()).toEqual([id])
    await node.close()
    for (const { uuid } of webhooks) await remove(uuid)
  })

  it('that was interrupted is completed by the next, and by the next start', async () => {
    const { db } = market.database
    const { uuid, secret } = await register()
    const later = await register()
    for (const complete of [
      () => rotateKey([db], fileSecrets()),
      () => prepareSecrets(db, fileSecrets()),
    ]) {
      const before = await fileSecrets().keys.list()
      await rotateKey([db], fileSecrets())
      const [{ id }] = await fileSecrets().keys.list()
      // As if the process had been killed when it had encrypted only one of the two.
      await storeWith(before[0], uuid, secret)
      await complete()
      expect(await fileSecrets().keys.list()).toHaveLength(before.length + 1)
      expect(await keysOfSecrets()).toEqual([id])
    }
    const message = await orderAndReceive()
    expect([secret, later.secret].filter((each) => canVerify(each, message))).toHaveLength(1)
    await Promise.all([remove(uuid), remove(later.uuid)])
  })

  it('takes the first key of PAVILION_SECRET_KEY, which must be another one', async () => {
    const { db } = market.database
    const { uuid, secret } = await register()
    const settings = { secretKeys: ['a key of the environment, long enough'], dataFolder: folder }
    const secrets = openSecrets(settings, { mayCreateKey: false })
    const { key } = await rotateKey([db], secrets)
    expect(key.source).toBe('environment')
    expect(await keysOfSecrets()).toEqual([key.id])
    await expect(rotateKey([db], secrets)).rejects.toThrow('put a new one before it')
    // The node of this market has only the file: it says so, signs nothing, and stores nothing.
    const { status, body } = await market.call('GET', '/readyz/write')
    expect(status).toBe(503)
    expect(body.checks['secret key']).toBe(`the key ${key.id} is missing`)
    const refused = await market.call('POST', '/api/v3/webhooks', {
      token: shop.key,
      body: { url: receiver.url },
    })
    expect(refused.status).toBe(503)
    expect(refused.body.detail).toBe('This server cannot store secrets; its log says why.')
    const settingsBack = { ...settings, secretKeys: [] }
    await expect(
      rotateKey([db], openSecrets(settingsBack, { mayCreateKey: false })),
    ).rejects.toThrow(`encrypted with the key ${key.id}, which this node does not have`)
    await storeWith((await fileSecrets().keys.list())[0], uuid, secret)
    await prepareSecrets(db, fileSecrets())
    expect((await market.call('GET', '/readyz/write')).status).toBe(200)
    verify(secret, await orderAndReceive())
    await remove(uuid)
  })
})

describe('a database with secrets in clear text', () => {
  it('is encrypted by the nodes that start on it, once', async () => {
    const { db } = market.database
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const rows = Array.from({ length: 450 }, () => newUuid())
    await sql`insert into webhook_endpoint
        (uuid, merchant_uuid, url, secret, earlier_secret, earlier_secret_until)
      select uuid, ${shop.merchant.uuid}, ${receiver.url}, ${secret}, ${secret}, now()
      from unnest(${rows}::uuid[]) as uuid`.execute(db)
    const started = Array.from({ length: 3 }, () => prepareSecrets(db, fileSecrets()))
    await Promise.all(started)
    expect(await dump()).not.toContain(secret)
    const stored = await db
      .selectFrom('webhook_endpoint')
      .select(['uuid', 'secret', 'earlier_secret'])
      .execute()
    expect(stored).toHaveLength(rows.length)
    for (const { uuid, secret: sealed, earlier_secret } of stored) {
      const row = { table: 'webhook_endpoint', uuid }
      expect(await market.deps.secrets.open(sealed, row)).toBe(secret)
      expect(await market.deps.secrets.open(earlier_secret ?? '', row)).toBe(secret)
    }
    await sql`delete from webhook_endpoint`.execute(db)
  })
})

describe('a key that sealed nothing', () => {
  it('is replaced by the key of a server that starts', async () => {
    const { db } = market.database
    await sql`delete from webhook_endpoint`.execute(db)
    await sql`update secret_key set key_id = '0123456789abcdef'`.execute(db)
    const commands = openSecrets({ secretKeys: [], dataFolder: folder }, { mayCreateKey: false })
    await expect(prepareSecrets(db, commands)).rejects.toThrow('the key 0123456789abcdef')
    await expect(prepareSecrets(db, testSecrets())).rejects.toThrow('the key 0123456789abcdef')
    await prepareSecrets(db, fileSecrets())
    const { uuid, secret } = await register()
    verify(secret, await orderAndReceive())
    await remove(uuid)
  })
})

/** Stores a secret as a node would that uses the key. */
async function storeWith(key: SecretKey, uuid: string, secret: string): Promise<void> {
  const sealed = sealWith(key, secret, { table: 'webhook_endpoint', uuid })
  await sql`update webhook_endpoint set secret = ${sealed} where uuid = ${uuid}`.execute(
    market.database.db,
  )
}

function canVerify(secret: string, message: Receiver['received'][number]): boolean {
  try {
    verify(secret, message)
    return true
  } catch {
    return false
  }
}
