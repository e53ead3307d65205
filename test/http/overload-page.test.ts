import { describe, expect, it } from 'vitest'
import { refusalText } from '../../src/http/overload/refuse.ts'
import { createHeadReader } from '../../src/http/overload/request-head.ts'
import { findAwayPage } from '../../src/http/v3/selections/away-page.ts'

describe('what is refused before Fastify', () => {
  const GERMAN = 'accept-language: de-DE,de;q=0.9'
  const BROWSER = `${GERMAN}\r\naccept: text/html,application/xhtml+xml,*/*;q=0.8`

  const readHead = createHeadReader()

  function refused(path: string, headers: string) {
    const head = readHead(Buffer.from(`GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`))
    if (!head) throw new Error(`${path} is left to the parser`)
    // Written as bytes, as to a socket.
    const bytes = Buffer.from(refusalText(head.request, 'mine-7', findAwayPage), 'latin1')
    const [first, body] = bytes.toString().split('\r\n\r\n')
    const length = /^content-length: (\d+)$/m.exec(first)?.[1]
    expect(Buffer.byteLength(body), path).toBe(Number(length))
    expect(first, path).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 2\r\n/)
    expect(first, path).toContain('x-request-id: mine-7')
    return { first, body }
  }

  it.each([
    ['/share/no-such-link', GERMAN],
    ['/share/no-such-link/stones.pdf', GERMAN],
    ['/search', BROWSER],
    ['/operator/orders?unconfirmed=yes', BROWSER],
  ])('is a page in the language of the person who opens %s', (path, headers) => {
    const { first, body } = refused(path, headers)
    expect(first).toContain('content-type: text/html; charset=utf-8')
    expect(first).toContain("content-security-policy: default-src 'none'")
    expect(body).toContain('<h1>Diese Seite lässt sich gerade nicht zeigen</h1>')
  })

  it.each([
    ['/share/no-such-link/SKU/top', GERMAN],
    ['/api/v3/defaults/collections', BROWSER],
    ['/search', GERMAN],
  ])('is a problem document for the program that calls %s', (path, headers) => {
    const { first, body } = refused(path, headers)
    expect(first).toContain('content-type: application/problem+json; charset=utf-8')
    expect(JSON.parse(body)).toMatchObject({ code: 'overloaded', request_id: 'mine-7' })
  })

  it('is read by its own body, also when the same head came before', () => {
    const call = (body: string) => readHead(Buffer.from(`${HEAD}${body}`))?.missing
    const HEAD = 'POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n'
    expect([call('1234'), call('12'), call(''), call('12345'), call('1234')]).toEqual([
      0,
      2,
      4,
      undefined,
      0,
    ])
  })
})
