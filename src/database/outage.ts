const OUTAGE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57014', // query_canceled, by our own statement timeout
  '53300', // too_many_connections
  '53100', // disk_full
  '42P01', // undefined_table: the market is being reset, or not migrated yet
])

const OUTAGE_WORDS =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after/i

/** Whether the database is away or cannot take work now; anything else that is thrown is a bug. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  if (code && (OUTAGE_CODES.has(code) || code.startsWith('08'))) return true
  return OUTAGE_WORDS.test(error.message)
}
