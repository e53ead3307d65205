import { openSecrets, type Secrets } from '../../src/database/secrets/secrets.ts'

/** The key of the tests, for programs that work on the same database. */
export const TEST_SECRET_KEY = 'the key of stored secrets in tests'

/** Keys as PAVILION_SECRET_KEY has them, the first in use. The tests' own unless given. */
export function testSecrets(secretKeys = [TEST_SECRET_KEY]): Secrets {
  return openSecrets({ secretKeys, dataFolder: '/nowhere' }, { mayCreateKey: false })
}
