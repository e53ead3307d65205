import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ForwardedEvent, forwardEvents } from '../../src/cli/events/forward-events.ts'
import { newSecret } from '../../src/events/webhook.ts'
import { openReceiver, type Receiver } from '../events/webhook-support.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import { runPavilion, spawnPavilion } from '../support/command-line.ts'

const WAIT = { timeout: 60_000 }

let market: OrderMarket
let url: string
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
  const webhooks = { allowedHosts: [receiver.host] }
  market = await openOrderMarket({ webhooks })
  url = await market.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.respond = (response) => response.writeHead(204).end()
})

async function order(by: string): Promise<string> {
  const { body } = await market.place([await addStone(market.database.db)], { by })
  return body.uuid
}

type Options = Partial<Parameters<typeof forwardEvents>[0]>

/** Forwards in this process, until it is stopped. */
function start(key: string, options: Options = {}) {
  const controller = new AbortController()
  const forwarded: ForwardedEvent[] = []
  const waits: string[] = []
  const secret = newSecret()
  let started: number | undefined
  const ended = forwardEvents({
    url,
    key,
    forward: receiver.url,
    secret,
    signal: controller.signal,
    firstWaitMs: 10,
    report: {
      started: (after) => {
        started = after
      },
      forwarded: (event) => void forwarded.push(event),
      numberedAgain: () => void waits.push('numbered again'),
      waiting: (reason) => void waits.push(reason),
    },
    ...options,
  })
  return {
    secret,
    forwarded,
    waits,
    isListening: () => expect.poll(() => started, WAIT).toBeDefined(),
    async stop() {
      controller.abort()
      return ended
    },
  }
}

describe('pavilion listen', () => {
  it('forwards what happens, in the bytes and with the signature of a webhook', async () => {
    const { key } = await market.merchant()
    const webhook = await market.call('POST', '/api/v3/webhooks', {
      token: key,
      body: { url: receiver.url },
    })
    expect(webhook.status).toBe(201)
    const listening = start(key)
    await listening.isListening()
    await order(key)
    await receiver.until(2)
    expect(await listening.stop()).toBe(1)
    const [one, other] = receiver.received
    expect(one.text).toBe(other.text)
    const named = ['content-type', 'user-agent', 'webhook-id']
    for (const name of named) expect(one.headers[name]).toBe(other.headers[name])
    const verified = receiver.received.map(({ text, headers }) =>
      [listening.secret, webhook.body.secret].map((secret) => {
        try {
          return new Webhook(secret).verify(text, headers as Record<string, string>) !== undefined
        } catch {
          return false
        }
      }),
    )
    expect(verified.map(String).toSorted()).toEqual(['false,true', 'true,false'])
  })

  it('begins with what happens from now on, or after a number, and forwards nothing twice', async () => {
    const { key } = await market.merchant()
    await order(key)
    const first = start(key)
    await first.isListening()
    await order(key)
    await receiver.until(1)
    await expect.poll(() => first.forwarded.length, WAIT).toBe(1)
    const last = await first.stop()
    expect(last).toBe(2)
    expect(first.forwarded[0]).toMatchObject({ event: { sequence: 2 }, status: 204, attempts: 1 })
    await order(key)
    const second = start(key, { after: last })
    await expect.poll(() => second.forwarded.map(({ event }) => event.sequence), WAIT).toEqual([3])
    await second.stop()
    const third = start(key, { after: 0 })
    await expect.poll(() => third.forwarded.length, WAIT).toBe(3)
    await third.stop()
  })

  it('begins again with the events of a sandbox that was reset', async () => {
    const sandbox = await openOrderMarket({ realm: 'test' })
    try {
      const address = await sandbox.app.listen({ port: 0, host: '127.0.0.1' })
      const { key } = await sandbox.merchant()
      await sandbox.place([await addStone(sandbox.database.db)], { by: key })
      // The number of an event before the reset.
      const listening = start(key, { url: address, after: 41 })
      await expect.poll(() => listening.forwarded.length, WAIT).toBe(1)
      expect(listening.waits).toEqual(['numbered again'])
      expect(await listening.stop()).toBe(1)
    } finally {
      await sandbox.close()
    }
  })

  it('tries again when the receiver is away or refuses, and goes on in order', async () => {
    const { key } = await market.merchant()
    await order(key)
    await order(key)
    receiver.respond = (response) => {
      if (receiver.received.length === 1) response.socket?.destroy()
      else response.writeHead(receiver.received.length === 2 ? 500 : 200).end()
    }
    const listening = start(key, { after: 0 })
    await expect.poll(() => listening.forwarded.length, WAIT).toBe(2)
    await listening.stop()
    expect(listening.forwarded).toMatchObject([
      { event: { sequence: 1 }, status: 200, attempts: 3 },
      { event: { sequence: 2 }, status: 200, attempts: 1 },
    ])
    expect(listening.waits[0]).toContain('is away')
    expect(listening.waits[1]).toContain('answered 500')
    expect(new Set(receiver.received.slice(0, 3).map(({ text }) => text)).size).toBe(1)
  })

  it('gives up on an event that is refused again and again', async () => {
    const { key } = await market.merchant()
    await order(key)
    receiver.respond = (response) => response.writeHead(400).end()
    const listening = start(key, { after: 0 })
    await expect.poll(() => listening.forwarded.length, WAIT).toBe(1)
    expect(listening.forwarded[0]).toMatchObject({ status: 400, attempts: 4 })
    expect(await listening.stop()).toBe(1)
  })

  it('has not delivered what waits for a receiver that is away', async () => {
    const { key } = await market.merchant()
    await order(key)
    const away = 'http://127.0.0.1:1/hook'
    const listening = start(key, { after: 0, forward: away })
    await expect.poll(() => listening.waits.length, WAIT).toBeGreaterThan(1)
    expect(await listening.stop()).toBe(0)
  })

  it('forwards only the types that are asked for', async () => {
    const { key } = await market.merchant()
    const uuid = await order(key)
    const pay = `/api/operator/orders/${uuid}/pay`
    await market.call('POST', pay, { token: market.adminKey })
    const listening = start(key, { after: 0, eventTypes: ['order.pay'] })
    await expect.poll(() => listening.forwarded.length, WAIT).toBe(1)
    expect(receiver.received[0].body.type).toBe('order.pay')
    expect(await listening.stop()).toBe(2)
  })
})

describe('the command', () => {
  it('prints its secret and each event, and ends cleanly with Ctrl-C', async () => {
    const { key } = await market.merchant()
    await order(key)
    const args = ['listen', '--forward', receiver.url, '--after', '0', '--json']
    const child = spawnPavilion(args, { PAVILION_URL: url, PAVILION_KEY: key })
    let printed = ''
    child.stdout?.on('data', (chunk) => {
      printed += chunk
    })
    const exit = new Promise((done) => child.once('close', done))
    await expect.poll(() => printed.split('\n').length, WAIT).toBe(3)
    child.kill('SIGINT')
    expect(await exit).toBe(0)
    const lines = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ url, forward: receiver.url, after: 0 })
    expect(lines[0].secret).toMatch(/^whsec_/)
    expect(lines[1]).toMatchObject({ sequence: 1, event_type: 'order.create', status: 204 })
    expect(lines[2]).toEqual({ after: 1 })
    const [{ text, headers }] = receiver.received
    const verifier = new Webhook(lines[0].secret)
    expect(verifier.verify(text, headers as Record<string, string>)).toMatchObject({
      type: 'order.create',
    })
  })

  it('says what is missing or wrong', async () => {
    const forward = ['listen', '--forward', 'localhost:1/hook']
    const [keyless, unknown, away] = await Promise.all([
      runPavilion(forward, {}),
      runPavilion([...forward, '--key', 'pav_live_x', '--url', url], {}),
      runPavilion([...forward, '--key', 'pav_live_x', '--url', 'http://127.0.0.1:1'], {}),
    ])
    expect(keyless).toMatchObject({ code: 1 })
    expect(keyless.stderr).toContain('use --key, or set PAVILION_KEY')
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.stderr).toContain('refuses the key')
    expect(away).toMatchObject({ code: 1 })
    expect(away.stderr).toContain('Cannot reach the market at http://127.0.0.1:1')
    const typo = await runPavilion([...forward, '--events', 'order.crate'], {})
    expect(typo).toMatchObject({ code: 2 })
    expect(typo.stderr).toContain('did you mean order.create?')
  })
})
