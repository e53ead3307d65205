import { openSecrets } from '../../src/database/secrets/secrets.ts'

const settings = { secretKeys: ['the key of stored secrets in benches'], dataFolder: '' }

/** No bench stores a secret that outlives it, so the key may stand here. */
export const benchSecrets = openSecrets(settings, { mayCreateKey: false })
