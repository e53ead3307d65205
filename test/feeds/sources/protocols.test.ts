import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FtpServer, hasPyftpdlib, hasVsftpd, openFtpServer, openVsftpd } from './ftp-server.ts'
import { hasSshd, openSftpServer, type SftpServer } from './sftp-server.ts'
import { csvOf, openSourceMarket, type SourceMarket, stones } from './source-support.ts'

let market: SourceMarket
beforeEach(async () => {
  market = await openSourceMarket()
})
afterEach(() => market.close())

const HOUR_SECONDS = 3_600

/** Writes a file that was last changed some hours ago. */
async function put(folder: string, name: string, content: string, hoursAgo = 2): Promise<void> {
  const path = join(folder, name)
  await writeFile(path, content, { mode: 0o644 })
  const seconds = Math.floor(Date.now() / 1000) - hoursAgo * HOUR_SECONDS
  await utimes(path, seconds, seconds)
}

/** A supplier puts files into a folder, by whatever protocol it is read. */
async function followsFolder(
  folder: string,
  source: Record<string, unknown> & { url: string },
): Promise<void> {
  await put(folder, 'stock-1.csv', csvOf(stones(4)), 5)
  await put(folder, 'stock-2.CSV', csvOf(stones(10)), 3)
  await put(folder, 'stock-3.csv.part', csvOf(stones(11)), 1)
  await put(folder, 'readme.pdf', 'not a list', 1)
  await mkdir(join(folder, 'old.csv'))
  const { uuid } = await market.add(source)
  expect(await market.run(uuid)).toMatchObject({
    outcome: 'done',
    file_name: 'stock-2.CSV',
    added: 10,
  })
  expect(await market.run(uuid)).toMatchObject({
    outcome: 'unchanged',
    file_name: 'stock-2.CSV',
    bytes: 0,
  })
  // The same content with another name and time is fetched, and found to be the same.
  await put(folder, 'stock-4.csv', csvOf(stones(10)), 1)
  expect(await market.run(uuid)).toMatchObject({
    outcome: 'unchanged',
    file_name: 'stock-4.csv',
    bytes: csvOf(stones(10)).length,
  })
  await put(folder, 'stock-5.csv', csvOf(stones(12)), 0)
  expect(await market.run(uuid)).toMatchObject({
    outcome: 'done',
    file_name: 'stock-5.csv',
    added: 2,
    unchanged: 10,
  })
}

describe('A source of a folder on this machine', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pavilion-files-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('takes the newest file that fits a pattern', async () => {
    await followsFolder(folder, { url: `${pathToFileURL(folder).href}/*.csv` })
  })

  it('finds out at once that a pattern of many stars does not fit', async () => {
    await put(folder, `${'a'.repeat(200)}.csv`, csvOf(stones(4)))
    const fits = async (pattern: string) => {
      const { uuid } = await market.add({ url: `${pathToFileURL(folder).href}/${pattern}` })
      return (await market.run(uuid)).outcome
    }
    expect(await fits(`${'*a'.repeat(30)}b*.csv`)).toBe('failed')
    expect(await fits(`${'*A'.repeat(30)}*.csv`)).toBe('done')
  })

  it('takes the newest file that can be imported', async () => {
    await followsFolder(folder, { url: `${pathToFileURL(folder).href}/` })
  })

  it('says what it found when no file fits', async () => {
    await put(folder, 'readme.pdf', 'not a list')
    const { uuid } = await market.add({ url: `${pathToFileURL(folder).href}/*.csv` })
    const run = await market.run(uuid)
    expect(run).toMatchObject({ outcome: 'failed', code: 'file_not_found' })
    expect(run.failure).toContain('None of the 1 files')
    expect(run.failure).toContain('*.csv')
    const missing = await market.add({ url: `${pathToFileURL(folder).href}/none.csv` })
    expect(await market.run(missing.uuid)).toMatchObject({
      code: 'file_not_found',
      failure: `There is no ${folder}/none.csv.`,
    })
  })

  it('waits for a file that is still being written', async () => {
    market.app.services.sourceRunner.settings.settleMs = 500
    const path = join(folder, 'stock.csv')
    await writeFile(path, csvOf(stones(5)))
    const { uuid } = await market.add({ url: pathToFileURL(path).href })
    const running = market.run(uuid)
    await expect.poll(async () => (await market.show(uuid)).state).toBe('running')
    await writeFile(path, csvOf(stones(9)))
    const run = await running
    // The second writing may come before the first look; then the file was complete.
    if (run.outcome === 'failed') expect(run.code).toBe('file_is_changing')
    else expect(run).toMatchObject({ outcome: 'done', added: 9 })
    expect(await market.run(uuid)).toMatchObject({ outcome: expect.stringMatching(/done|unch/) })
    expect(await market.onSale()).toHaveLength(9)
  })
})

describe.skipIf(!hasSshd)('A source of an SFTP server', () => {
  let server: SftpServer
  beforeEach(async () => {
    server = await openSftpServer()
  })
  afterEach(() => server.close())

  const at = (path: string) => ({
    url: `sftp://127.0.0.1:${server.port}${server.folder}/${path}`,
    user: server.user,
    key: server.key,
    host_key: server.fingerprint,
  })

  it('takes the newest file that fits a pattern', async () => {
    await followsFolder(server.folder, at('*.csv'))
  })

  it('takes the newest file of a folder, and one file', async () => {
    await followsFolder(server.folder, at(''))
    await put(server.folder, 'a file #1.csv', csvOf(stones(3)))
    const { uuid } = await market.add({ ...at('a%20file%20%231.csv'), supplier: 'Another' })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 3 })
  })

  it('reads a file of many pieces as it is', async () => {
    const content = csvOf(stones(30_000))
    await put(server.folder, 'large.csv', content)
    const { uuid } = await market.add(at('large.csv'))
    expect(await market.run(uuid)).toMatchObject({
      outcome: 'done',
      bytes: content.length,
      added: 30_000,
      rejected: 0,
    })
  })

  it('is refused without a host key, and says which one it saw', async () => {
    await put(server.folder, 'stock.csv', csvOf(stones(3)))
    const { uuid } = await market.add({ ...at('stock.csv'), host_key: null })
    const run = await market.run(uuid)
    expect(run).toMatchObject({ outcome: 'failed', code: 'untrusted_host' })
    expect(run.failure).toContain(server.fingerprint)
    expect(await server.log()).not.toMatch(/Accepted|Failed/)
    const change = await market.call('PATCH', `/api/operator/sources/${uuid}`, {
      token: market.adminKey,
      body: { host_key: server.fingerprint },
    })
    expect(change.status).toBe(200)
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 3 })
  })

  it('is refused with another host key, before it is told a secret', async () => {
    const hostKey = `SHA256:${'A'.repeat(43)}`
    const { uuid } = await market.add({ ...at('stock.csv'), host_key: hostKey })
    const run = await market.run(uuid)
    expect(run).toMatchObject({ outcome: 'failed', code: 'untrusted_host' })
    expect(run.failure).toContain(server.fingerprint)
    expect(await server.log()).not.toMatch(/Accepted|Failed/)
  })

  it('fails with a key that may not sign in, and with a file that is not there', async () => {
    const { uuid } = await market.add({ ...at('stock.csv'), key: server.otherKey })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'failed', code: 'sign_in_refused' })
    const missing = await market.add(at('stock.csv'))
    expect(await market.run(missing.uuid)).toMatchObject({
      outcome: 'failed',
      code: 'file_not_found',
    })
  })
})

describe.skipIf(!hasPyftpdlib)('A source of an FTP server', () => {
  let server: FtpServer
  afterEach(() => server.close())

  const at = (scheme: string, path: string) => ({
    url: `${scheme}://127.0.0.1:${server.port}/${path}`,
    user: server.user,
    password: server.password,
  })

  it('takes the newest file that fits a pattern', async () => {
    server = await openFtpServer()
    await followsFolder(server.folder, at('ftp', '*.csv'))
  })

  it('takes the newest file of a folder, and one file', async () => {
    server = await openFtpServer()
    await mkdir(join(server.folder, 'out'))
    await followsFolder(join(server.folder, 'out'), at('ftp', 'out/'))
    await put(server.folder, 'a file.csv', csvOf(stones(3)))
    const { uuid } = await market.add({ ...at('ftp', 'a%20file.csv'), supplier: 'Another' })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'done', added: 3 })
    expect(await market.run(uuid)).toMatchObject({ outcome: 'unchanged', bytes: 0 })
  })

  it('fails with a wrong password, without a file, and with one that is too large', async () => {
    server = await openFtpServer()
    const wrong = await market.add({ ...at('ftp', 'stock.csv'), password: 'not the password' })
    const run = await market.run(wrong.uuid)
    expect(run).toMatchObject({ outcome: 'failed', code: 'sign_in_refused' })
    expect(run.failure).not.toContain('not the password')
    const { uuid } = await market.add(at('ftp', 'stock.csv'))
    expect(await market.run(uuid)).toMatchObject({ outcome: 'failed', code: 'file_not_found' })
    market.app.services.sourceRunner.settings.fileBytesMax = 1_000
    await put(server.folder, 'stock.csv', csvOf(stones(100)))
    expect(await market.run(uuid)).toMatchObject({ outcome: 'failed', code: 'file_too_large' })
  })
})

describe.skipIf(!hasVsftpd)('A source of an FTP server that lists no exact times', () => {
  it('takes the newest file that fits a pattern', async () => {
    const server = await openVsftpd({ isSecure: false })
    try {
      await followsFolder(server.folder, { url: `ftp://127.0.0.1:${server.port}/*.csv` })
    } finally {
      await server.close()
    }
  })

  it('is trusted with TLS by its fingerprint, and not without', async () => {
    const server = await openVsftpd({ isSecure: true })
    const url = `ftps://127.0.0.1:${server.port}/*.csv`
    try {
      const { uuid } = await market.add({ url })
      const run = await market.run(uuid)
      expect(run).toMatchObject({ outcome: 'failed', code: 'untrusted_host' })
      expect(run.failure).toContain(server.fingerprint)
      await followsFolder(server.folder, { url, host_key: server.fingerprint })
      const other = await market.add({ url, host_key: `SHA256:${'A'.repeat(43)}` })
      expect(await market.run(other.uuid)).toMatchObject({ code: 'untrusted_host' })
    } finally {
      await server.close()
    }
  })
})
