import type { lookup } from 'node:dns'
import { createServer } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkedLookup, sendWebhook } from '../../src/events/send-webhook.ts'
import { GIVE_UP_MS, nextWaitMs } from '../../src/events/webhook.ts'
import { isPublicAddress, whyNotAllowed } from '../../src/events/webhook-address.ts'
import { PRIVATE_NETWORKS } from '../../src/lib/networks.ts'

describe('isPublicAddress', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.192',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'ff02::1',
    'localhost',
    '',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '192.0.1.1', '2606:4700::1111', '2a00:1450::1'])(
    'allows %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
})

describe('whyNotAllowed', () => {
  it.each([
    'not an address',
    'ftp://shop.example',
    'http://shop.example',
    'https://user:pw@shop.example',
    'https://shop.example/#part',
    'https://localhost',
    'https://LOCALHOST.',
    'https://printer',
    'https://db.internal',
    'https://nas.local',
    'https://127.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0177.0.0.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1:8443',
    'https://shop.example:8443',
    'https://8.8.8.8:22',
    'https://shop.example:0',
  ])('refuses %s', (url) => {
    expect(whyNotAllowed(url, [])).toBeDefined()
  })

  it.each([
    'https://shop.example/hooks?a=1',
    'https://8.8.8.8',
    'https://shop.example:443',
    'https://shop.example:80',
  ])('allows %s', (url) => {
    expect(whyNotAllowed(url, [])).toBeUndefined()
  })

  it('lets the operator allow a host, or a host and a port', () => {
    expect(whyNotAllowed('http://hooks.lan:8080/x', ['hooks.lan'])).toBeUndefined()
    expect(whyNotAllowed('http://10.0.0.7:8080', ['10.0.0.7:8080'])).toBeUndefined()
    expect(whyNotAllowed('http://10.0.0.7:8081', ['10.0.0.7:8080'])).toBeDefined()
    expect(whyNotAllowed('https://shop.example:8443', ['shop.example:8443'])).toBeUndefined()
    expect(whyNotAllowed('https://shop.example:8444', ['shop.example:8443'])).toBe(
      'must use port 443 or 80',
    )
  })
})

describe('sending', () => {
  const message = (url: string) => ({ url, headers: {}, body: '{}' })

  it('does not call a private network, by address or by a name that resolves to one', async () => {
    let calls = 0
    const server = createServer((_, response) => {
      calls++
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await expect(sendWebhook(message(`https://127.0.0.1:${port}`), [])).rejects.toThrow('public')
    await expect(sendWebhook(message(`https://localhost:${port}`), [])).rejects.toThrow('public')
    // The socket resolves names with this function alone, so it connects to what was checked.
    const failure = await new Promise((resolve) => {
      checkedLookup(20)('localhost', { all: true }, (error) => resolve(error?.message))
    })
    expect(failure).toBe('the name has no public address')
    expect(await sendWebhook(message(`http://127.0.0.1:${port}`), [`127.0.0.1:${port}`])).toBe(200)
    expect(calls).toBe(1)
    server.close()
  })
})

describe('a name without a public address', () => {
  type Addresses = { address: string; family: number }[]
  const failure = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })

  /** Resolves every name to these addresses, or fails when there are none, or never responds. */
  const resolving = (addresses: Addresses | 'never') =>
    ((_name: string, _options: object, done: (error: Error | null, found: Addresses) => void) => {
      if (addresses === 'never') return
      done(addresses.length === 0 ? failure : null, addresses)
    }) as unknown as typeof lookup

  it.each<[string, Addresses | 'never']>([
    ['does not exist', []],
    ['is in a private network', [{ address: '10.0.0.7', family: 4 }]],
    ['has a public and a private address', addressesOf('8.8.8.8', '10.0.0.7')],
    ['is never resolved', 'never'],
  ])('is refused at the same moment with the same words when it %s', (_case, addresses) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const messages: (string | undefined)[] = []
    const resolve = checkedLookup(3_000, resolving(addresses))
    resolve('files.corp.example', { all: true }, (error) => messages.push(error?.message))
    vi.advanceTimersByTime(2_999)
    expect(messages).toEqual([])
    vi.advanceTimersByTime(1)
    expect(messages).toEqual(['the name has no public address'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is different from one with public addresses, which is called at once', () => {
    const found: unknown[] = []
    const resolve = checkedLookup(3_000, resolving(addressesOf('8.8.8.8', '2606:4700::1111')))
    resolve('shop.example', { all: true }, (error, addresses) => found.push(error, addresses))
    expect(found).toEqual([null, addressesOf('8.8.8.8', '2606:4700::1111')])
  })
})

function addressesOf(...addresses: string[]) {
  return addresses.map((address) => ({ address, family: isIP(address) }))
}

describe('nextWaitMs', () => {
  it('grows to two hours and ends after a day', () => {
    const waits: number[] = []
    let elapsedMs = 0
    for (;;) {
      const wait = nextWaitMs(elapsedMs, 0.5)
      if (wait === undefined) break
      waits.push(wait)
      elapsedMs += wait
    }
    expect(waits.slice(0, 5)).toEqual([5_000, 5_000, 10_000, 20_000, 40_000])
    expect(Math.max(...waits)).toBe(7_200_000)
    expect(elapsedMs).toBeGreaterThanOrEqual(GIVE_UP_MS)
    expect(waits.length).toBeLessThan(30)
  })
})

describe('a sandbox that may call private networks', () => {
  const why = (url: string) => whyNotAllowed(url, [PRIVATE_NETWORKS])

  it.each([
    'http://localhost:3000/hook',
    'http://127.0.0.1:3000/hook',
    'http://[::1]:3000/hook',
    'http://192.168.1.20/hook',
    'http://10.1.2.3:8080/hook',
    'http://172.20.0.5/hook',
    'http://[fd12:3456::1]/hook',
    'http://shop.local/hook',
    'http://app:3000/hook',
    'https://shop.example/hook',
  ])('allows %s', (url) => expect(why(url)).toBeUndefined())

  it.each([
    'http://shop.example/hook',
    'https://shop.example:8443/hook',
    'http://169.254.169.254/latest/meta-data',
    'http://0.0.0.0/hook',
    'http://user:password@localhost/hook',
    'ftp://localhost/hook',
  ])('refuses %s', (url) => expect(why(url)).toBeDefined())

  it('delivers to this machine', async () => {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(204).end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const message = { url: `http://localhost:${port}/hook`, headers: {}, body: '{}' }
    expect(await sendWebhook(message, [PRIVATE_NETWORKS])).toBe(204)
    await expect(sendWebhook(message, [])).rejects.toThrow('https')
  })
})
