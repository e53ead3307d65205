import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { openSecrets, type Secrets } from '../../database/secrets/secrets.ts'

/** A server without a key creates one; beside an external database other nodes need it as well. */
export function openServerSecrets(config: Config, log: Logger): Secrets {
  return openSecrets(config, {
    mayCreateKey: true,
    onKeyCreated({ id }, file) {
      const created = { key: id, file }
      if (config.databaseUrl === undefined) log.info(created, 'created the key of stored secrets')
      else log.warn(created, `created the key of stored secrets; ${SHARE_KEY}`)
    },
  })
}

export const SHARE_KEY =
  'keep the file, and give other nodes of this database a copy, or set PAVILION_SECRET_KEY on all'
