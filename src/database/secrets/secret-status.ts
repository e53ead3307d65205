import type { Db } from '../open.ts'
import { isReadByOthers } from './key-file.ts'
import { countSecrets, peekKeyInUse } from './secret-store.ts'
import { missingKey, type Secrets } from './secrets.ts'

/** What a node knows about the keys of a database's secrets. It has no key and no secret. */
interface SecretStatus {
  /** The id of the key that new secrets are encrypted with; null before the first. */
  key_in_use: string | null
  keys: KeyStatus[]
  /** Secrets in clear text, which the next start encrypts. */
  plain_secrets: number
  /** What to do about a missing key or a key file that others may read. */
  problem: string | null
}

interface KeyStatus {
  key_id: string
  source: 'environment' | 'file' | 'missing'
  in_use: boolean
  /** How many stored secrets it encrypts. */
  secrets: number
}

export async function readSecretStatus(db: Db, { keys }: Secrets): Promise<SecretStatus> {
  const inUse = await peekKeyInUse(db)
  const counts = await countSecrets(db)
  const countOf = (id: string | null) => counts.find(({ key_id }) => key_id === id)?.count ?? 0
  const known = await keys.list()
  const needed = counts.flatMap(({ key_id }) => (key_id === null ? [] : [key_id]))
  const ids = new Set([...(inUse ? [inUse] : []), ...known.map(({ id }) => id), ...needed])
  const statuses = [...ids].map((id) => ({
    key_id: id,
    source: known.find((key) => key.id === id)?.source ?? ('missing' as const),
    in_use: id === inUse,
    secrets: countOf(id),
  }))
  const missing = statuses.filter(({ source, secrets }) => source === 'missing' && secrets > 0)
  const open = `${keys.file} can be read by other accounts; run "chmod 600 ${keys.file}".`
  return {
    key_in_use: inUse ?? null,
    keys: statuses,
    plain_secrets: countOf(null),
    problem:
      missing.length > 0
        ? missingKey(
            keys,
            missing.map(({ key_id }) => key_id),
          )
        : (await isReadByOthers(keys.file))
          ? open
          : null,
  }
}

/** For readiness: whether this node has the key that new secrets are encrypted with. */
export async function findKeyProblem(db: Db, { keys }: Secrets): Promise<string | undefined> {
  const inUse = await peekKeyInUse(db)
  if (inUse === undefined || (await keys.find(inUse))) return undefined
  return `the key ${inUse} is missing`
}
