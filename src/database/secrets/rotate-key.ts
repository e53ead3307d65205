import { Refusal } from '../../lib/refusal.ts'
import type { Db, Tx } from '../open.ts'
import { inTransaction } from '../transaction.ts'
import type { SecretKey } from './keyring.ts'
import {
  countSecrets,
  lockKeyInUse,
  lockOtherSecrets,
  peekKeyInUse,
  replaceSecrets,
  SECRET_COLUMNS,
  type SecretColumn,
  setKeyInUse,
} from './secret-store.ts'
import {
  listMissingKeys,
  missingKey,
  SEALED,
  SecretKeyError,
  type Secrets,
  sealWith,
} from './secrets.ts'

/** Few enough that a webhook which is being changed waits for milliseconds only. */
const BATCH_ROWS = 200

/**
 * Makes a database ready for this node: chooses the key in use when there is none, refuses a
 * database whose secrets this node cannot open, and encrypts what an earlier version stored in
 * clear text or an interrupted rotation left. Any number of nodes may do it at once.
 */
export async function prepareSecrets(db: Db, secrets: Secrets): Promise<void> {
  await refuseMissingKeys(db, secrets)
  await inTransaction(db, (tx) => secrets.keyInUse(tx))
  await sealAll(db, secrets)
}

/**
 * Encrypts all secrets of the databases with another key: the first of PAVILION_SECRET_KEY, or a
 * new one in the key file. Servers keep running; from the first moment on they seal with it. A
 * rotation that was interrupted is completed instead. `record` writes it into the audit.
 */
export async function rotateKey(
  databases: readonly Db[],
  secrets: Secrets,
  record: (tx: Tx, key: SecretKey) => Promise<void> = async () => {},
): Promise<{ key: SecretKey; sealed: number }> {
  for (const db of databases) await refuseMissingKeys(db, secrets)
  const key = await chooseNextKey(databases, secrets)
  let sealed = 0
  for (const db of databases) {
    await inTransaction(db, async (tx) => {
      await lockKeyInUse(tx)
      await setKeyInUse(tx, key.id)
      await record(tx, key)
    })
    sealed += await sealAll(db, secrets)
  }
  return { key, sealed }
}

async function chooseNextKey(databases: readonly Db[], secrets: Secrets): Promise<SecretKey> {
  const [newest] = await secrets.keys.list()
  const uses = newest ? await Promise.all(databases.map((db) => useOf(db, newest))) : []
  const isComplete = uses.every(({ isInUse, others }) => isInUse && others === 0)
  if (newest?.source === 'environment') {
    if (!isComplete) return newest
    throw new Refusal(
      'wrong_state',
      'The first key of PAVILION_SECRET_KEY is in use already: put a new one before it, such as ' +
        'the output of "openssl rand -base64 32", restart the servers, and rotate again.',
    )
  }
  const isBegun = uses.some(({ isInUse }) => isInUse)
  return newest && isBegun && !isComplete ? newest : secrets.createKey()
}

/** Whether new secrets are sealed with the key, and how many are stored that were not. */
async function useOf(db: Db, key: SecretKey): Promise<{ isInUse: boolean; others: number }> {
  const isInUse = (await peekKeyInUse(db)) === key.id
  const counts = await countSecrets(db)
  const others = counts.filter(({ key_id }) => key_id !== key.id)
  return { isInUse, others: others.reduce((sum, { count }) => sum + count, 0) }
}

/**
 * After a key was lost: makes the database use a key of this node, whatever it used before. What
 * the lost key sealed stays unreadable.
 */
export async function replaceLostKey(tx: Tx, secrets: Secrets): Promise<void> {
  const id = await lockKeyInUse(tx)
  if (id !== undefined && (await secrets.keys.find(id))) return
  const [own] = await secrets.keys.list()
  await setKeyInUse(tx, (own ?? (await secrets.createKey())).id)
}

async function refuseMissingKeys(db: Db, { keys }: Secrets): Promise<void> {
  const missing = await listMissingKeys(db, keys)
  if (missing.length > 0) throw new SecretKeyError(missingKey(keys, missing))
}

/** Seals everything with the key in use that is not, in small transactions; returns how many. */
async function sealAll(db: Db, secrets: Secrets): Promise<number> {
  let total = 0
  for (const column of SECRET_COLUMNS) {
    for (;;) {
      const sealed = await sealSome(db, secrets, column)
      if (sealed === 0) break
      total += sealed
    }
  }
  return total
}

function sealSome(db: Db, secrets: Secrets, column: SecretColumn): Promise<number> {
  return inTransaction(db, async (tx) => {
    const key = await secrets.keyInUse(tx)
    const found = await lockOtherSecrets(tx, column, key.id, BATCH_ROWS)
    const sealed = []
    for (const { uuid, value } of found) {
      const row = { table: column.table, uuid }
      const text = SEALED.test(value) ? await secrets.open(value, row) : value
      sealed.push({ uuid, value: sealWith(key, text, row) })
    }
    if (sealed.length > 0) await replaceSecrets(tx, column, sealed)
    return sealed.length
  })
}
