import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts'
import { newSecret, signaturesOf } from '../../src/events/webhook.ts'

const secret = newSecret()
const body = JSON.stringify({
  type: 'order.create',
  timestamp: '2026-01-31T09:15:00.123456+00:00',
  data: { order_uuid: '0198a6c2', note: 'Größe 54 💍' },
})
const id = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'

function signed(secrets = [secret], at = Math.floor(Date.now() / 1000), text = body) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': signaturesOf(secrets, id, at, text),
  }
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  const error = await call.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(WebhookVerificationError)
  return (error as WebhookVerificationError).code
}

describe('verifyWebhook', () => {
  it('takes its arguments in both orders', async () => {
    const event = { id, ...JSON.parse(body) }
    expect(await verifyWebhook(secret, signed(), body)).toEqual(event)
    expect(await verifyWebhook(body, signed(), secret)).toEqual(event)
  })

  it('agrees with the library of Standard Webhooks', async () => {
    const headers = signed()
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    const now = new Date()
    const theirs = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    }
    expect(await verifyWebhook(secret, theirs, body)).toMatchObject({ type: 'order.create' })
  })

  it('takes bytes, and headers of every kind', async () => {
    const bytes = new TextEncoder().encode(body)
    const headers = signed()
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    for (const sent of [bytes, Buffer.from(body), bytes.buffer]) {
      for (const read of [headers, upper, new Headers(headers)]) {
        expect(await verifyWebhook(secret, read, sent)).toMatchObject({ id })
      }
    }
  })

  it('accepts either secret while one is replaced by another', async () => {
    const headers = signed([newSecret(), secret])
    expect(await verifyWebhook(secret, headers, body)).toMatchObject({ id })
  })

  it('refuses what was changed, or signed with another secret', async () => {
    const changed = body.replace('order.create', 'order.cancel')
    expect(await refusalOf(verifyWebhook(secret, signed(), changed))).toBe('invalid_signature')
    expect(await refusalOf(verifyWebhook(newSecret(), signed(), body))).toBe('invalid_signature')
    const other = { ...signed(), 'webhook-id': 'another' }
    expect(await refusalOf(verifyWebhook(secret, other, body))).toBe('invalid_signature')
    for (const signature of ['v1,', 'v1,%%%', 'v2,abc', 'nonsense', 'v1']) {
      const headers = { ...signed(), 'webhook-signature': signature }
      expect(await refusalOf(verifyWebhook(secret, headers, body))).toBe('invalid_signature')
    }
  })

  it('refuses what is older or newer than five minutes', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const at of [now - 310, now + 310]) {
      const call = verifyWebhook(secret, signed([secret], at), body)
      expect(await refusalOf(call)).toBe('invalid_timestamp')
    }
    const old = signed([secret], now - 310)
    expect(await verifyWebhook(secret, old, body, { toleranceSeconds: 400 })).toMatchObject({ id })
    expect(await verifyWebhook(secret, old, body, { now: (now - 300) * 1000 })).toMatchObject({
      id,
    })
    const headers = { ...signed(), 'webhook-timestamp': 'now' }
    expect(await refusalOf(verifyWebhook(secret, headers, body))).toBe('invalid_timestamp')
  })

  it('refuses a message without its headers', async () => {
    for (const name of Object.keys(signed())) {
      const { [name as 'webhook-id']: _, ...headers } = signed()
      expect(await refusalOf(verifyWebhook(secret, headers, body))).toBe('missing_header')
    }
  })

  it('refuses a body that pretends to be the secret', async () => {
    const forged = newSecret()
    const headers = signed([forged], undefined, secret)
    expect(await refusalOf(verifyWebhook(forged, headers, secret))).toBe('invalid_body')
  })

  it('says what a program passes by mistake', async () => {
    await expect(verifyWebhook('secret', signed(), body)).rejects.toThrow('begins with whsec_')
    await expect(verifyWebhook('whsec_', signed(), body)).rejects.toThrow('is not complete')
    const parsed = JSON.parse(body)
    await expect(verifyWebhook(secret, signed(), parsed)).rejects.toThrow('raw body')
  })
})
