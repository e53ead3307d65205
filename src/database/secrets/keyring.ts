import { deriveKey } from '../../lib/encryption.ts'
import { addKey, keyFileIn, readKeys } from './key-file.ts'

/** Where a node gets its keys. */
export interface KeySettings {
  /** The keys of PAVILION_SECRET_KEY; the first is the one to use. */
  secretKeys: readonly string[]
  dataFolder: string
}

export interface SecretKey {
  /** Derived from the key, so that every node has the same id for it; it reveals nothing. */
  id: string
  bytes: Buffer
  source: 'environment' | 'file'
}

/** The keys that this node knows. Any of them opens a secret; one seals new ones. */
export interface Keyring {
  /** The path of the key file, whether or not it exists. */
  file: string
  /** Returns the keys of the environment, then those of the file, the one to use first. */
  list(): Promise<SecretKey[]>
  /** Returns the key with the id. One that another process has just added is found as well. */
  find(id: string): Promise<SecretKey | undefined>
  /** Adds a new key to the file. */
  create(): Promise<SecretKey>
}

export function openKeyring({ secretKeys, dataFolder }: KeySettings): Keyring {
  const file = keyFileIn(dataFolder)
  const given = secretKeys.map((text) => secretKeyOf(text, 'environment'))
  const known = new Map(given.map((key) => [key.id, key]))

  async function list(): Promise<SecretKey[]> {
    const filed = (await readKeys(file)).reverse().map((text) => secretKeyOf(text, 'file'))
    for (const key of filed) if (!known.has(key.id)) known.set(key.id, key)
    return [...given, ...filed.filter(({ id }) => given.every((key) => key.id !== id))]
  }

  return {
    file,
    list,
    async find(id) {
      if (!known.has(id)) await list()
      return known.get(id)
    },
    create: async () => secretKeyOf(await addKey(file), 'file'),
  }
}

const ID_BYTES = 8

function secretKeyOf(text: string, source: SecretKey['source']): SecretKey {
  const id = deriveKey(text, 'pavilion secret key id').subarray(0, ID_BYTES).toString('hex')
  return { id, bytes: deriveKey(text, 'pavilion secrets at rest'), source }
}
