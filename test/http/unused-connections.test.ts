import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createServer } from '../../src/http/server.ts'

it('a closing server does not wait for a connection on which nothing was ever sent', async () => {
  const app = createServer(pino({ level: 'silent' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const accepted = once(app.server, 'connection')
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await accepted
  const ended = once(client, 'close')
  await app.close()
  await ended
  expect(app.server.listening).toBe(false)
})
