import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { describeError } from '../../src/cli/output/print.ts'
import { readConfig } from '../../src/config.ts'

const DATABASE = 'postgres://pavilion@127.0.0.1/pavilion'

describe('settings', () => {
  it.each([
    [{ PORT: '9000', METRICS_PORT: '9000' }, 'PORT and METRICS_PORT are both 9000'],
    [{ PORT: '9000', SANDBOX_PORT: '9000' }, 'PORT and SANDBOX_PORT are both 9000'],
    [
      { DATABASE_CONNECTIONS: 'x' },
      'DATABASE_CONNECTIONS is "x"; it must be a whole number from 1',
    ],
    [
      { DATABASE_CONNECTIONS: '0' },
      'DATABASE_CONNECTIONS is "0"; it must be a whole number from 1',
    ],
    [
      { DATABASE_URL: DATABASE, SANDBOX_DATABASE_URL: DATABASE },
      'the sandbox needs a database of its own',
    ],
    [
      { SANDBOX_DATABASE_URL: DATABASE },
      'SANDBOX_DATABASE_URL is set without DATABASE_URL, which it needs',
    ],
    [
      { DATABASE_URL: DATABASE, SANDBOX_DATABASE_DIRECT_URL: DATABASE },
      'SANDBOX_DATABASE_DIRECT_URL is set without SANDBOX_DATABASE_URL, which it needs',
    ],
    [{ HOST: 'fe80::1%eth0' }, 'HOST is "fe80::1%eth0"; it must be an address or a name'],
    [{ PAVILION_OUTGOING: 'no' }, 'PAVILION_OUTGOING is "no"; it must be one of on, off'],
  ])('%o are refused with a sentence', (settings, sentence) => {
    expect(() => readConfig(settings, '/nowhere')).toThrow(sentence)
  })

  it('let metrics have the port of production at another address', () => {
    const settings = { METRICS_HOST: '10.0.0.7', METRICS_PORT: '8080' }
    expect(readConfig(settings, '/nowhere').metricsPort).toBe(8080)
  })
})

describe('HOST', () => {
  it.each([
    ['::1', 'http://[::1]:9000'],
    ['::', 'http://localhost:9000'],
    ['0.0.0.0', 'http://localhost:9000'],
    ['gems.lan', 'http://gems.lan:9000'],
  ])('%s is %s in links', (HOST, address) => {
    const { publicUrl, isAddressGiven } = readConfig({ HOST, PORT: '9000' }, '/nowhere')
    expect([publicUrl, isAddressGiven.live]).toEqual([address, true])
  })
})

describe('the file .env', () => {
  const parent = mkdtempSync(join(tmpdir(), 'pavilion-settings-'))
  afterAll(() => rmSync(parent, { recursive: true }))
  const newFolder = () => mkdtempSync(join(parent, 'folder-'))

  it('may begin with the mark that some editors write', () => {
    const folder = newFolder()
    writeFileSync(join(folder, '.env'), '\uFEFFPORT=9000\r\nPAVILION_DATA=stock\r\n')
    expect(readConfig({}, folder)).toMatchObject({ port: 9000, dataFolder: join(folder, 'stock') })
  })

  it('is named when it cannot be read', () => {
    const folder = newFolder()
    mkdirSync(join(folder, '.env'))
    expect(() => readConfig({}, folder)).toThrow(`${join(folder, '.env')} cannot be read`)
  })
})

describe('an error of the system', () => {
  const failing = (code: string, message: string) => Object.assign(new Error(message), { code })

  it.each([
    ['ENOSPC', 'storage_full', 'There is no space left: '],
    ['EMFILE', 'overloaded', 'Too many files are open: '],
    ['ECONNREFUSED', 'database_away', 'Cannot reach the database: '],
  ])('%s is told as what it is', (system, code, words) => {
    expect(describeError(failing(system, 'of a test'))).toEqual({
      code,
      detail: `${words}of a test`,
    })
  })
})
