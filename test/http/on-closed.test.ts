import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { onClosed, untilClosed } from '../../src/http/response/on-closed.ts'

let server: Server

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Serves responses that end only when `isEnded`, and counts how often `onClosed` calls back. */
async function listen(isEnded: boolean) {
  const counted = { calls: 0, requests: 0, signal: new AbortController().signal }
  server = createServer((request, response) => {
    counted.requests++
    const raw = { request: { raw: request }, reply: { raw: response } }
    onClosed(raw.request as FastifyRequest, raw.reply as unknown as FastifyReply, () => {
      counted.calls++
    })
    counted.signal = untilClosed(
      raw.request as FastifyRequest,
      raw.reply as unknown as FastifyReply,
    )
    if (isEnded) response.end('done')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(() => counted.requests).toBe(1)
  return { counted, client }
}

describe('the end of a response', () => {
  it('is reported once when its client hangs up', async () => {
    const { counted, client } = await listen(false)
    client.destroy()
    await expect.poll(() => counted.calls).toBeGreaterThan(0)
    await new Promise((resolve) => setImmediate(resolve))
    expect(counted.calls).toBe(1)
    expect(counted.signal.reason).toMatchObject({ code: 'invalid_request' })
  })

  it('is reported once when it is sent and the connection closes after it', async () => {
    const { counted, client } = await listen(true)
    await expect.poll(() => counted.calls).toBe(1)
    client.destroy()
    await once(client, 'close')
    await new Promise((resolve) => setImmediate(resolve))
    expect(counted.calls).toBe(1)
  })
})
