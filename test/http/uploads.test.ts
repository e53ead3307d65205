import { once } from 'node:events'
import { mkdtemp, readdir, readlink, rm, utimes, writeFile } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { csvOf, stones } from '../feeds/import-support.ts'
import { addStones, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import { startPavilion } from '../support/command-line.ts'
import { cloneDatabase } from '../support/database.ts'
import { indexed } from '../support/stocked.ts'

const MEBIBYTE = 1024 ** 2
const FILE_BYTES_MAX = 2 * MEBIBYTE
const FILE = csvOf(stones(20))

let market: OrderMarket
let keys: string[]
beforeAll(async () => {
  market = await openOrderMarket({ uploadLimits: { fileBytesMax: FILE_BYTES_MAX } })
  await market.app.listen({ port: 0, host: '127.0.0.1' })
  keys = []
  for (let i = 0; i < 3; i++) keys.push((await market.token({ type: 'admin' })).token)
})
afterAll(() => market.close())

interface Answer {
  status: number
  body: { code?: string; added?: number }
  headers: IncomingMessage['headers']
}

interface SlowUpload {
  request: ClientRequest
  answer: Promise<Answer>
}

interface UploadOptions {
  port?: number
  path?: string
  headers?: Record<string, string | number>
}

let uploadCount = 0

/** Begins an upload of a supplier of its own; the test writes the rest and ends it. */
function beginUpload(key: string, options: UploadOptions = {}): SlowUpload {
  const { path = '/api/operator/imports', headers = {} } = options
  const { port = (market.app.server.address() as AddressInfo).port } = options
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `${path}?supplier=Slow%20${++uploadCount}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', ...headers },
    agent: false,
  })
  const answer = once(request, 'response').then(async ([response]: IncomingMessage[]) => ({
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: (await json(response)) as Answer['body'],
  }))
  answer.catch(() => {})
  // The server may close the connection while the client is still writing.
  request.on('error', () => {})
  return { request, answer }
}

const search = () =>
  market.call('POST', '/api/v2/diamonds/merchant_search', {
    token: market.buyer.key,
    body: { filters: {} },
  })

async function running(): Promise<{ files: number; bytes: number }> {
  const { text } = await market.call('GET', '/metrics')
  const read = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  return { files: read('pavilion_uploads_running'), bytes: read('pavilion_uploads_bytes') }
}

/** The temporary files that this process has open, which have no name any more. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd')
  const links = descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => ''))
  return (await Promise.all(links)).filter((link) => link.includes('pavilion-temporary-feed-'))
}

const nothingLeft = () =>
  expect
    .poll(async () => [await running(), await openFiles()])
    .toEqual([{ files: 0, bytes: 0 }, []])

describe('uploads that arrive slowly', () => {
  it('keep no connection from the orders and searches of others', async () => {
    const skus = await addStones(market.database.db, 12)
    await indexed(market)
    const paths = ['/api/operator/imports', '/api/operator/jewelry/imports']
    const uploads = Array.from({ length: 14 }, (_, i) =>
      beginUpload(keys[i % 2], { path: paths[Number(i >= 12)] }),
    )
    for (const { request } of uploads) request.write(FILE.slice(0, 100))
    await expect.poll(async () => (await running()).files).toBe(14)
    const { imports } = market.app.services.pools
    expect(imports.load().inUse).toBe(0)
    for (const [i, sku] of skus.entries()) {
      for (const { request } of uploads) request.write(FILE.slice(100 + i, 101 + i))
      expect((await market.place([sku])).status).toBe(200)
      expect((await search()).status).toBe(200)
    }
    for (const { request } of uploads) request.end(FILE.slice(100 + skus.length))
    const answers = await Promise.all(uploads.map(({ answer }) => answer))
    for (const { status, body } of answers.slice(0, 12)) {
      expect([status, body.added]).toEqual([200, 20])
    }
    await nothingLeft()
  })

  it('are ended when they are too slow', async () => {
    const other = await openOrderMarket({
      uploadLimits: { fileBytesMax: FILE_BYTES_MAX, windowMs: 200 },
    })
    try {
      await other.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = other.app.server.address() as AddressInfo
      const { request, answer } = beginUpload(other.adminKey, { port })
      request.write(FILE.slice(0, 100))
      const { status, body } = await answer
      expect([status, body.code]).toEqual([408, 'upload_too_slow'])
    } finally {
      await other.close()
    }
  })
})

describe('an upload', () => {
  it.each(['text/csv', 'csv', ''])('may have the media type %j', async (type) => {
    const { request, answer } = beginUpload(keys[0], { headers: { 'content-type': type } })
    request.end(FILE)
    expect(await answer).toMatchObject({ status: 200, body: { added: 20 } })
  })
})

describe('the temporary file of an upload', () => {
  it('is gone after a client has hung up', async () => {
    const { request } = beginUpload(keys[0])
    request.write(FILE.slice(0, 100))
    await expect.poll(openFiles).toHaveLength(1)
    request.destroy()
    await nothingLeft()
  })

  it('is gone after a refusal', async () => {
    const { request, answer } = beginUpload(keys[0])
    request.end('hello\nworld\n')
    expect((await answer).status).toBe(422)
    await nothingLeft()
  })

  it('is gone after the process was killed, and a start removes what an earlier one left', async () => {
    const clone = await cloneDatabase()
    const database = openDatabase({ url: clone.url })
    const folder = await mkdtemp(join(tmpdir(), 'pavilion-test-'))
    const stale = join(folder, 'pavilion-temporary-stale')
    await writeFile(stale, 'x')
    await utimes(stale, 1, 1)
    try {
      const { token } = await createToken(database.db, { realm: 'live', type: 'admin' })
      const server = await startPavilion({ DATABASE_URL: clone.url, TMPDIR: folder })
      await expect.poll(() => readdir(folder)).toEqual([])
      const { request } = beginUpload(token, { port: Number(new URL(server.address).port) })
      request.write(FILE.slice(0, 100))
      const descriptors = `/proc/${server.child.pid}/fd`
      const isReceiving = async () => {
        const links = (await readdir(descriptors)).map((each) =>
          readlink(join(descriptors, each)).catch(() => ''),
        )
        // Opened and already without a name: the name goes right after the file was opened.
        const unnamed = /pavilion-temporary-feed-.*\(deleted\)$/
        return (await Promise.all(links)).some((link) => unnamed.test(link))
      }
      await expect.poll(isReceiving).toBe(true)
      await server.stop('SIGKILL')
      // The index keeps such files too, and may have been killed in the moment of opening one.
      const left = (await readdir(folder)).filter((name) => name.includes('feed'))
      expect(left).toEqual([])
    } finally {
      await database.close()
      await clone.drop()
      await rm(folder, { recursive: true })
    }
  })
})

describe('an upload is refused at once', () => {
  it('when the token, or all tokens together, have too many', async () => {
    const first = Array.from({ length: 8 }, () => beginUpload(keys[0]))
    for (const { request } of first) request.flushHeaders()
    await expect.poll(async () => (await running()).files).toBe(8)
    const share = beginUpload(keys[0])
    share.request.write(FILE.slice(0, 100))
    const refused = await share.answer
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_uploads'])
    const others = Array.from({ length: 8 }, () => beginUpload(keys[1]))
    for (const { request } of others) request.flushHeaders()
    await expect.poll(async () => (await running()).files).toBe(16)
    const last = beginUpload(keys[2])
    last.request.write(FILE.slice(0, 100))
    const full = await last.answer
    expect([full.status, full.body.code]).toEqual([503, 'uploads_full'])
    expect(full.headers['retry-after']).toBeDefined()
    for (const { request } of [...first, ...others]) request.destroy()
    await nothingLeft()
  })

  it('when it is too large, whether or not the client says so', async () => {
    const announced = beginUpload(keys[0], { headers: { 'content-length': FILE_BYTES_MAX + 1 } })
    announced.request.write(FILE.slice(0, 100))
    const { status, body } = await announced.answer
    expect([status, body.code]).toEqual([413, 'file_too_large'])
    const grown = beginUpload(keys[0])
    for (let i = 0; i < 3; i++) grown.request.write(Buffer.alloc(MEBIBYTE, 'x'))
    const late = await grown.answer
    expect([late.status, late.body.code]).toEqual([413, 'file_too_large'])
    await nothingLeft()
  })

  it('when there is no space for it beside the others', async () => {
    const headers = { 'content-length': FILE_BYTES_MAX }
    const two = [beginUpload(keys[0], { headers }), beginUpload(keys[1], { headers })]
    for (const { request } of two) request.flushHeaders()
    await expect.poll(async () => (await running()).bytes).toBe(2 * FILE_BYTES_MAX)
    const third = beginUpload(keys[2])
    third.request.write(FILE.slice(0, 100))
    const { status, body } = await third.answer
    expect([status, body.code]).toEqual([503, 'uploads_full'])
    for (const { request } of two) request.destroy()
    await nothingLeft()
  })
})
