/**
 * The errors of PostgreSQL and of the connection to it, by name. What a store or a server decides
 * by goes through one of these functions; anything else that the database reports is a bug.
 */
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const CHECK_VIOLATION = '23514'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const LOCK_NOT_AVAILABLE = '55P03'
const READ_ONLY_TRANSACTION = '25006'
const IDLE_IN_TRANSACTION_TIMEOUT = '25P03'
const INVALID_CATALOG_NAME = '3D000'
const DIVISION_BY_ZERO = '22012'

/** Whether a row with the same key exists already; of the named constraint or index, if one is. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint)
}

/** Whether a row refers to one that is not there, or is still referred to. */
export function isForeignKeyViolation(error: unknown): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION)
}

export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, CHECK_VIOLATION, constraint)
}

/** Whether two transactions got in each other's way, so that running this one again helps. */
export function isConflict(error: unknown): boolean {
  const { code } = fieldsOf(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED
}

/** Whether a statement failed by its own condition (`failUnless` of transaction.ts). */
export function isUnmet(error: unknown): boolean {
  return fieldsOf(error).code === DIVISION_BY_ZERO
}

/** Whether a lock was not given within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return fieldsOf(error).code === LOCK_NOT_AVAILABLE
}

/** Whether the server has no database of this name. */
export function isMissingDatabase(error: unknown): boolean {
  return fieldsOf(error).code === INVALID_CATALOG_NAME
}

const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The server is a standby now, or was set to read only.
  READ_ONLY_TRANSACTION,
  IDLE_IN_TRANSACTION_TIMEOUT,
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '57014', // query_canceled, by our own statement timeout
  '53300', // too_many_connections
])

const POOL_BUSY = 'POOL_BUSY'
/** What the pool itself says when a caller has waited for a connection for too long. */
const WAITED_TOO_LONG = 'timeout exceeded when trying to connect'

/** Every connection is in use, and too many callers are waiting for one already. */
export class PoolBusyError extends Error {
  readonly code = POOL_BUSY
}

const DISK_FULL = '53100'
const STORAGE_FULL_CODES = new Set([DISK_FULL, 'ENOSPC', 'EDQUOT'])
/** This process, or the whole system, cannot open another file or connection. */
const NO_DESCRIPTOR_CODES = new Set(['EMFILE', 'ENFILE'])

const OUTAGE_MESSAGES = new RegExp(
  [
    'Connection terminated',
    'connection timeout',
    'timeout expired',
    'Client was closed',
    'Client has encountered a connection error',
    'Cannot use a pool after',
  ].join('|'),
  'i',
)

/**
 * Whether the database is away or cannot work now, so that the caller may try again. A missing
 * table is not an outage: migrations come before the server, and a reset keeps the tables.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = fieldsOf(error)
  if (code && (OUTAGE_CODES.has(code) || code.startsWith('08'))) return true
  if (isStorageFull(error) || isOutOfDescriptors(error) || isPoolBusy(error)) return true
  return OUTAGE_MESSAGES.test(error.message)
}

/** After these the connection is of no use, because the server ends it or cannot write. */
const SPENT_CODES = new Set([
  READ_ONLY_TRANSACTION,
  IDLE_IN_TRANSACTION_TIMEOUT,
  '57P01',
  '57P02',
  '57P03',
  '57P05',
])

/**
 * Whether the connection that reported the error must not be used again: its server is shutting
 * down or only reads, while another one may have taken over at the same address.
 */
export function endsConnection(error: unknown): boolean {
  const { code } = fieldsOf(error)
  return code !== undefined && (SPENT_CODES.has(code) || code.startsWith('08'))
}

/** Whether there is no space left to store anything, on the database's disk or on ours. */
export function isStorageFull(error: unknown): boolean {
  return STORAGE_FULL_CODES.has(fieldsOf(error).code ?? '')
}

/** Whether no connection was free: the database may be well, but too much is asked of it. */
export function isPoolBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return fieldsOf(error).code === POOL_BUSY || error.message === WAITED_TOO_LONG
}

export function isOutOfDescriptors(error: unknown): boolean {
  return NO_DESCRIPTOR_CODES.has(fieldsOf(error).code ?? '')
}

function isViolation(error: unknown, wanted: string, constraint?: string): boolean {
  const fields = fieldsOf(error)
  return fields.code === wanted && (constraint === undefined || fields.constraint === constraint)
}

function fieldsOf(error: unknown): { code?: string; constraint?: string } {
  return error instanceof Error ? (error as { code?: string; constraint?: string }) : {}
}
