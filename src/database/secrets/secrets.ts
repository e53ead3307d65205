/**
 * Secrets that the server needs in clear text, such as the keys of webhook signatures, are stored
 * sealed: encrypted with a key that is not in the database. docs/secrets.md explains the keys.
 */
import { decrypt, encrypt } from '../../lib/encryption.ts'
import type { Tx } from '../open.ts'
import type { Sealed } from '../tables/columns.ts'
import { type Keyring, type KeySettings, openKeyring, type SecretKey } from './keyring.ts'
import { countSecrets, findKeyInUse, lockKeyInUse, setKeyInUse } from './secret-store.ts'

export interface Secrets {
  keys: Keyring
  /** Seals a text for the row that will have it; in another row it cannot be opened. */
  seal(tx: Tx, text: string, row: SecretRow): Promise<Sealed>
  open(sealed: string, row: SecretRow): Promise<string>
  /** Whether this node has the key of a sealed value. */
  canOpen(sealed: string): Promise<boolean>
  /** Adds a new key to the key file, which becomes the first of the node's keys. */
  createKey(): Promise<SecretKey>
  /** Returns the key that seals, and keeps it the one until the transaction ends. */
  keyInUse(tx: Tx): Promise<SecretKey>
}

/** The row that a secret belongs to. */
interface SecretRow {
  table: string
  uuid: string
}

interface SecretOptions {
  /**
   * Whether this process may create the key file, and replace a key in use that sealed nothing.
   * Commands beside an external database may not: their data folder is not the server's.
   */
  mayCreateKey: boolean
  onKeyCreated?: (key: SecretKey, file: string) => void
}

/** This node does not have a key that it needs. The message is for the operator. */
export class SecretKeyError extends Error {}

export function openSecrets(settings: KeySettings, options: SecretOptions): Secrets {
  const keys = openKeyring(settings)
  const createKey = async () => {
    if (!options.mayCreateKey && (await keys.list()).length === 0) throw new SecretKeyError(NO_KEY)
    const key = await keys.create()
    options.onKeyCreated?.(key, keys.file)
    return key
  }
  const keyInUse = async (tx: Tx) => {
    const id = await findKeyInUse(tx)
    const key = id === undefined ? undefined : await keys.find(id)
    return key ?? chooseKey(tx, keys, createKey, options)
  }
  return {
    keys,
    createKey,
    keyInUse,
    seal: async (tx, text, row) => sealWith(await keyInUse(tx), text, row),
    canOpen: async (sealed) => !SEALED.test(sealed) || !!(await keys.find(keyIdOf(sealed))),
    async open(sealed, row) {
      const id = keyIdOf(sealed)
      const key = await keys.find(id)
      if (!key) throw new SecretKeyError(missingKey(keys, [id]))
      const bytes = Buffer.from(sealed.slice(prefixOf(id).length), 'base64url')
      try {
        return decrypt(bytes, key.bytes, at(row))
      } catch (error) {
        throw new Error(`the secret of ${at(row)} was changed, or is another row's`, {
          cause: error,
        })
      }
    },
  }
}

/** Decides which key seals from now on, when there is none yet or this node does not have it. */
async function chooseKey(
  tx: Tx,
  keys: Keyring,
  createKey: () => Promise<SecretKey>,
  { mayCreateKey }: SecretOptions,
): Promise<SecretKey> {
  const id = await lockKeyInUse(tx)
  // Another process may have chosen in the meantime.
  const chosen = id === undefined ? undefined : await keys.find(id)
  if (chosen) return chosen
  if (id !== undefined) {
    if (!mayCreateKey) throw new SecretKeyError(missingKey(keys, [id]))
    const missing = await listMissingKeys(tx, keys)
    if (missing.length > 0) throw new SecretKeyError(missingKey(keys, missing))
  }
  const [own] = await keys.list()
  const key = own ?? (await createKey())
  await setKeyInUse(tx, key.id)
  return key
}

/** Returns the ids of keys that sealed something and that this node does not have. */
export async function listMissingKeys(db: Parameters<typeof countSecrets>[0], keys: Keyring) {
  const missing: string[] = []
  for (const { key_id } of await countSecrets(db)) {
    if (key_id !== null && !(await keys.find(key_id))) missing.push(key_id)
  }
  return missing
}

const NO_KEY =
  'There is no key to encrypt secrets with: set PAVILION_SECRET_KEY to the key of the server, or ' +
  'PAVILION_DATA to its data folder.'

export function missingKey({ file }: Keyring, ids: readonly string[]): string {
  return (
    `Secrets in the database are encrypted with the key ${ids.join(', ')}, which this node does ` +
    `not have: set PAVILION_SECRET_KEY to the key of the node that has it, or copy its ` +
    `secret.key to ${file} (docs/secrets.md).`
  )
}

/** `v1.<id of the key>.<nonce, tag and encrypted text>` */
export const SEALED = /^v1\.([0-9a-f]{16})\./

function prefixOf(keyId: string): string {
  return `v1.${keyId}.`
}

export function sealWith(key: SecretKey, text: string, row: SecretRow): Sealed {
  const bytes = encrypt(text, key.bytes, at(row))
  return `${prefixOf(key.id)}${bytes.toString('base64url')}` as Sealed
}

function keyIdOf(sealed: string): string {
  const id = SEALED.exec(sealed)?.[1]
  if (id === undefined) throw new Error('a stored secret is not sealed')
  return id
}

function at({ table, uuid }: SecretRow): string {
  return `${table} ${uuid}`
}
