import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isMediaAddress } from '../../../src/feeds/media/fetch-media.ts'
import { addStone } from '../../orders/order-support.ts'
import { openTestMarket, type TestMarket } from '../../support/market.ts'

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(400, 7)])
const PDF = Buffer.from(`%PDF-1.7\n${'x'.repeat(100)}`)
/** Three of them are more than the cache may keep. */
const CACHE_BYTES = 1_000
const ENDLESS_BYTES = 1024 ** 2

let market: TestMarket
let token: string
let server: Server
let address: string
let folder: string
let asked: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pavilion-media-'))
  server = createServer((request, response) => {
    const { url = '' } = request
    asked.push(url)
    if (url === '/moved') response.writeHead(302, { location: '/top.jpg' }).end()
    else if (url === '/inside') response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (url === '/gone') response.writeHead(404).end()
    else if (url === '/certificate') response.end(PDF)
    // What servers say about a type is not believed.
    else if (url === '/page') response.setHeader('content-type', 'image/jpeg').end('<script>')
    else if (url === '/drawing') response.setHeader('content-type', 'image/png').end('<svg/>')
    else if (url === '/endless') sendWithoutEnd(response)
    else response.setHeader('content-type', 'text/html').end(JPEG)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  address = `http://${host}`
  market = await openTestMarket({
    media: {
      hosts: ['127.0.0.1', '*.media.example'],
      privateHosts: [host],
      folder,
      bytesMax: CACHE_BYTES,
    },
  })
  token = (await market.merchant()).key
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  await market.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  rmSync(folder, { recursive: true })
})

function sendWithoutEnd(response: import('node:http').ServerResponse): void {
  response.write(JPEG)
  const send = () => {
    while (!response.destroyed && response.write(Buffer.alloc(ENDLESS_BYTES)));
    if (!response.destroyed) response.once('drain', send)
  }
  send()
}

const read = (sku: string, view = 'top', headers: Record<string, string> = {}) =>
  market.app.inject({
    url: `/api/v3/inventory/media/${sku}/${view}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

const stoneWith = (path: string) =>
  addStone(market.database.db, { image_top_url: path.startsWith('/') ? address + path : path })

describe('a medium of a supplier', () => {
  it('is fetched once, has the type of its bytes, and can do nothing', async () => {
    const sku = await stoneWith('/top.jpg')
    const [first, second] = await Promise.all([read(sku), read(sku)])
    const third = await read(sku)
    for (const { statusCode, headers, rawPayload } of [first, second, third]) {
      expect(statusCode).toBe(200)
      expect(headers['content-type']).toBe('image/jpeg')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
      expect(rawPayload.equals(JPEG)).toBe(true)
    }
    expect(asked).toEqual(['/top.jpg'])
    const unchanged = await read(sku, 'top', { 'if-none-match': String(third.headers.etag) })
    expect(unchanged.statusCode).toBe(304)
  })

  it('may be moved, and may be a PDF', async () => {
    expect((await read(await stoneWith('/moved'))).statusCode).toBe(200)
    const sku = await addStone(market.database.db, { cert_url: `${address}/certificate` })
    const { headers, rawPayload } = await read(sku, 'certificate')
    expect(headers['content-type']).toBe('application/pdf')
    expect(rawPayload.equals(PDF)).toBe(true)
  })

  it.each([
    ['is missing', '/gone'],
    ['leads into the private network', '/inside'],
    ['leads in a circle', '/loop'],
    ['is a page', '/page'],
    ['is a drawing that could have a script', '/drawing'],
    ['does not end', '/endless'],
    ['is on a host that is not listed', 'https://elsewhere.example/top.jpg'],
    ['is on a private host that is not listed', 'http://10.0.0.1/top.jpg'],
    ['is not on the web', 'file:///etc/passwd'],
  ])('that %s is 404, is not asked for again at once, and leaves nothing', async (_, link) => {
    const before = readdirSync(folder).length
    const sku = await stoneWith(link)
    const { statusCode, headers } = await read(sku)
    expect([statusCode, headers['content-type']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ])
    const requests = asked.length
    expect((await read(sku)).statusCode).toBe(404)
    expect(asked).toHaveLength(requests)
    expect(readdirSync(folder)).toHaveLength(before)
  })

  it('is one frame of a 360 degree view, of those that there are', async () => {
    const framed = (v360_info: object, base = `${address}/frames/`) =>
      addStone(market.database.db, {
        v360_json_base_url: base,
        v360_info: JSON.stringify(v360_info),
      })
    const sku = await framed({ frame_count: 3, image_ext: '.jpeg' })
    expect((await read(sku, 'frames/2')).headers['content-type']).toBe('image/jpeg')
    expect(asked).toEqual(['/frames/2.jpeg'])
    expect((await read(sku, 'frames/3')).statusCode).toBe(404)
    expect((await read(sku, 'frames/-1')).statusCode).toBe(422)
    const plain = await framed({ frame_count: '8' }, `${address}/plain`)
    expect((await read(plain, 'frames/0')).statusCode).toBe(200)
    const odd = await framed({ frame_count: 8, image_ext: 'jpg/../../x' })
    expect((await read(odd, 'frames/0')).statusCode).toBe(404)
    expect((await read(await framed({}), 'frames/0')).statusCode).toBe(404)
    expect((await read(await stoneWith('/top.jpg'), 'frames/0')).statusCode).toBe(404)
    expect(asked).toEqual(['/frames/2.jpeg', '/plain/0.jpg'])
  })

  it('is a 360 degree view where that is a file, and not where it is a page', async () => {
    const turning = (path: string) => addStone(market.database.db, { ux_url: `${address}${path}` })
    expect((await read(await turning('/turn.jpg'), 'turn')).statusCode).toBe(200)
    expect((await read(await turning('/page'), 'turn')).statusCode).toBe(404)
  })

  it('makes room for others when they take too much space', async () => {
    for (let at = 0; at < 8; at++) {
      const { statusCode } = await read(await stoneWith(`/many-${at}.jpg`))
      expect(statusCode).toBe(200)
    }
    expect(readdirSync(folder).length).toBeLessThanOrEqual(Math.floor(CACHE_BYTES / JPEG.length))
  })

  it('needs a token, and the session says that there are some', async () => {
    const sku = await stoneWith('/top.jpg')
    const { statusCode } = await market.app.inject(`/api/v3/inventory/media/${sku}/top`)
    expect(statusCode).toBe(401)
    expect((await read('NOSUCHSTONE')).statusCode).toBe(404)
    const { body } = await market.call('GET', '/api/v3/session', { token })
    expect(body.shows_media).toBe(true)
  })
})

describe('the hosts of media', () => {
  it.each([
    ['https://a.media.example/1.jpg', true],
    ['http://a.b.media.example/1.jpg', true],
    ['https://media.example/1.jpg', false],
    ['https://a.media.example.evil.example/1.jpg', false],
    ['https://evilmedia.example/1.jpg', false],
    ['https://user:password@a.media.example/1.jpg', false],
    ['https://a.media.example:8443/1.jpg', false],
    ['ftp://a.media.example/1.jpg', false],
  ])('%s: %s', (link, isAllowed) => {
    expect(isMediaAddress(link, { hosts: ['*.media.example'], privateHosts: [] })).toBe(isAllowed)
  })

  it('are all public ones with a star', () => {
    const any = { hosts: ['*'], privateHosts: [] }
    expect(isMediaAddress('https://somewhere.example/1.jpg', any)).toBe(true)
    expect(isMediaAddress('https://localhost/1.jpg', any)).toBe(false)
    expect(isMediaAddress('https://192.168.0.1/1.jpg', any)).toBe(false)
  })
})
