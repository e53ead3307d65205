import { openSecrets, type Secrets } from '../../src/database/secrets/secrets.ts'

/** Keys as PAVILION_SECRET_KEY has them, the first in use. The tests' own unless given. */
export function testSecrets(secretKeys = ['the key of stored secrets in tests']): Secrets {
  return openSecrets({ secretKeys, dataFolder: '/nowhere' }, { mayCreateKey: false })
}
