import { describe, expect, it } from 'vitest'
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
    [{ PAVILION_OUTGOING: 'no' }, 'PAVILION_OUTGOING is "no"; it must be one of on, off'],
  ])('%o are refused with a sentence', (settings, sentence) => {
    expect(() => readConfig(settings, '/nowhere')).toThrow(sentence)
  })

  it('let metrics have the port of production at another address', () => {
    const settings = { METRICS_HOST: '10.0.0.7', METRICS_PORT: '8080' }
    expect(readConfig(settings, '/nowhere').metricsPort).toBe(8080)
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
