import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MailServer, openMailServer } from '../notices/mail-server.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { invite, signInByLink } from './people.ts'

let server: MailServer
let market: TestMarket
let merchant_uuid: string
beforeAll(async () => {
  server = await openMailServer()
  market = await openTestMarket({ mail: server.settings })
  merchant_uuid = (await market.merchant({ legal_dba: 'Facet & Girdle' })).merchant.uuid
})
afterAll(async () => {
  await market.close()
  await server.close()
})

const LINK = /http:\/\/pavilion\.test\/sign-in#\w{44}/
/** Mails wrap long lines; a link is one line again without the wraps. */
const linkIn = (raw: string) => LINK.exec(raw.replaceAll('=\r\n', ''))?.[0] ?? ''

describe('where a mail server is set', () => {
  it('ten links in a quarter of an hour are mailed to an address, invitations included', async () => {
    const request = { role: 'buyer', merchant_uuid, email: 'often@a.example' }
    const before = server.received.length
    for (let count = 0; count < 10; count++) {
      expect((await invite(market, request)).status).toBe(201)
    }
    const refused = await invite(market, { ...request, email: 'OFTEN@a.example' })
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
    await server.until(before + 10)
    expect(server.received).toHaveLength(before + 10)
    server.received.length = before
  })

  it('an invitation is mailed, and its link is the one that is returned', async () => {
    const { body } = await invite(market, { role: 'buyer', merchant_uuid, email: 'mail@a.example' })
    expect(body.mailed).toBe(true)
    await server.until(1)
    const [mail] = server.received
    expect(mail.to).toBe('mail@a.example')
    expect(mail.header('subject')).toBe('Invitation to Pavilion: Facet & Girdle')
    expect(linkIn(mail.raw)).toBe(body.link)
    expect((await signInByLink(market, body.link)).status).toBe(201)
  })

  it('a link that is asked for comes for every account, and signs in', async () => {
    const other = (await market.merchant()).merchant.uuid
    const before = server.received.length + 1
    await invite(market, { role: 'owner', merchant_uuid: other, email: 'MAIL@a.example' })
    const ask = (email: string) => market.call('POST', '/api/v3/session/link', { body: { email } })
    await server.until(before)
    const known = await ask('mail@A.example')
    const unknown = await ask('nobody@a.example')
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    expect(known.status).toBe(202)
    await server.until(before + 2)
    const links = server.received.slice(before).map(({ raw }) => linkIn(raw))
    const opened = await Promise.all(links.map((link) => signInByLink(market, link)))
    expect(opened.map(({ status }) => status)).toEqual([201, 201])
    const merchants = new Set(opened.map(({ body }) => body.merchant.uuid))
    expect(merchants).toEqual(new Set([merchant_uuid, other]))
  })
})
