import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../lib/refusal.ts'

export const PASSWORD_LENGTH_MIN = 12
/** A sentence fits; the work of hashing does not grow with it. */
export const PASSWORD_LENGTH_MAX = 200

/** A password as it is stored: its hash and what it was made with. */
export interface PasswordHash {
  salt: Buffer
  hash: Buffer
  cost: number
  block_size: number
  parallelism: number
}

/** 32 MiB and three passes: what OWASP advises for scrypt with this much memory. */
const COST = { cost: 2 ** 15, block_size: 8, parallelism: 3 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Hashing runs in the thread pool of libuv, which has four threads and also resolves names and
 * reads files. Half of it is left to the rest of the server, however many people sign in.
 */
const AT_ONCE_MAX = 2
/** More would wait for longer than a person does. */
const WAITING_MAX = 50

/** Hashes and compares passwords, a few at a time. */
export interface Passwords {
  /** With the salt of another user of the same address, if there is one. */
  hash(password: string, salt?: Buffer): Promise<PasswordHash>
  /**
   * Returns those that the password fits. It costs the same when there is none to compare with, so
   * that the time of a response does not tell whether an account exists.
   */
  matching<Row extends PasswordHash>(password: string, rows: readonly Row[]): Promise<Row[]>
}

export function createPasswords(): Passwords {
  const inTurn = createTurns()
  return {
    async hash(password, salt = randomBytes(SALT_BYTES)) {
      const hash = await inTurn(() => derive(password, { ...COST, salt }))
      return { ...COST, salt, hash }
    },
    async matching(password, rows) {
      const groups = new Set(rows.map(settingsOf))
      if (groups.size === 0) {
        await inTurn(() => derive(password, { ...COST, salt: randomBytes(SALT_BYTES) }))
        return []
      }
      const fitting: (typeof rows)[number][] = []
      for (const settings of groups) {
        const same = rows.filter((row) => settingsOf(row) === settings)
        const hash = await inTurn(() => derive(password, same[0]))
        fitting.push(...same.filter((row) => timingSafeEqual(row.hash, hash)))
      }
      return fitting
    },
  }
}

/** Whether the password should be hashed again, because the parameters have been raised since. */
export function isOutdated({ cost, block_size, parallelism }: PasswordHash): boolean {
  return cost !== COST.cost || block_size !== COST.block_size || parallelism !== COST.parallelism
}

function settingsOf({ salt, cost, block_size, parallelism }: PasswordHash): string {
  return [salt.toString('hex'), cost, block_size, parallelism].join(' ')
}

function derive(password: string, made: Omit<PasswordHash, 'hash'>): Promise<Buffer> {
  const { salt, cost: N, block_size: r, parallelism: p } = made
  // Twice what it needs, because OpenSSL counts a little more than the formula.
  const options: ScryptOptions = { N, r, p, maxmem: 2 * 128 * N * r }
  // The same characters can be typed as different sequences of code points.
  const typed = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(typed, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/** Runs a bounded number of tasks at once; the others wait in order, and too many are refused. */
function createTurns() {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (waiting.length >= WAITING_MAX) {
      throw new Refusal('not_ready', 'Too many people are signing in; try again in a moment.')
    }
    if (running >= AT_ONCE_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Refuses a password that is short or easily guessed, and says what is expected. */
export function refuseWeakPassword(password: string, email: string): void {
  const { length } = Array.from(password)
  if (length < PASSWORD_LENGTH_MIN) {
    throw weak(`must have at least ${PASSWORD_LENGTH_MIN} characters, but has ${length}`)
  }
  if (length > PASSWORD_LENGTH_MAX) {
    throw weak(`must have at most ${PASSWORD_LENGTH_MAX} characters`)
  }
  if (password.trim().toLowerCase() === email.toLowerCase()) {
    throw weak('must not be the e-mail address')
  }
  if (new Set(password).size === 1) throw weak('must not be one character repeated')
}

function weak(message: string): Refusal {
  return new Refusal('invalid_request', `The password ${message}.`, {
    errors: [{ field: 'password', message }],
  })
}
