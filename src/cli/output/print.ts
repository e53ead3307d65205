/**
 * Where output goes: the result to stdout, as one JSON document or as text for a person; messages
 * and progress to stderr, so that stdout can be piped.
 */
import { isOutage, isOutOfDescriptors, isStorageFull } from '../../database/errors.ts'
import { Refusal } from '../../lib/refusal.ts'
import { ConfigError } from '../../lib/settings.ts'
import { isoWithOffset, isPrinted } from '../../lib/timestamps.ts'

export function print<Result>(
  options: { json?: boolean },
  result: Result,
  show: (result: Result) => string,
): void {
  const text = options.json ? JSON.stringify(result, withIsoTimestamps, 2) : show(result)
  process.stdout.write(`${text}\n`)
}

/** Rows of the database hold timestamps as PostgreSQL prints them; JSON has ISO 8601 everywhere. */
function withIsoTimestamps(_name: string, value: unknown): unknown {
  return typeof value === 'string' && isPrinted(value) ? isoWithOffset(value) : value
}

/** A person reads the message on stderr; with `--json` a program reads the error on stdout. */
export function printError(options: { json?: boolean }, error: unknown): void {
  process.stderr.write(`${messageOf(error)}\n`)
  if (options.json) printJsonError(describeError(error))
}

/** A "no" that only the command line says, so that HTTP has no status for it. */
export class CommandRefusal extends Error {
  readonly code: 'no_market' | 'wrong_market' | 'address_unavailable' | 'confirmation_missing'

  constructor(code: CommandRefusal['code'], detail: string) {
    super(detail)
    this.code = code
  }
}

/** What `{error: …}` has: a code to go by, a sentence, and whatever else a refusal says. */
interface CommandError {
  code: string
  detail: string
  [extra: string]: unknown
}

export function printJsonError(error: CommandError): void {
  process.stdout.write(`${JSON.stringify({ error }, withIsoTimestamps, 2)}\n`)
}

export function describeError(error: unknown): CommandError {
  if (error instanceof Refusal) {
    const { code, message: detail, errors, extra } = error
    return { ...extra, code, detail, ...(errors && { errors }) }
  }
  return { code: codeOf(error), detail: messageOf(error) }
}

/** The codes of HTTP, where it has one for the same failure. */
function codeOf(error: unknown): string {
  if (error instanceof CommandRefusal) return error.code
  if (error instanceof ConfigError) return 'invalid_settings'
  if (isStorageFull(error)) return 'storage_full'
  if (isOutOfDescriptors(error)) return 'overloaded'
  return isOutage(error) ? 'database_away' : 'internal_error'
}

function messageOf(error: unknown): string {
  if (error instanceof ConfigError) return `Invalid settings: ${asSentence(error.message)}`
  if (error instanceof Refusal) return refusalText(error)
  // Both may be of this machine as well as of the database's.
  if (isStorageFull(error)) return `There is no space left: ${(error as Error).message}`
  if (isOutOfDescriptors(error)) return `Too many files are open: ${(error as Error).message}`
  if (isOutage(error)) return `Cannot reach the database: ${(error as Error).message}`
  return error instanceof Error ? error.message : String(error)
}

function asSentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}

function refusalText(refusal: Refusal): string {
  const errors = (refusal.errors ?? []).map(({ field, message }) => `  ${field}: ${message}`)
  return [refusal.message, ...errors].join('\n')
}
