import * as classes from './error-codes.ts'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  GoneError,
  NotFoundError,
  PavilionError,
  PermissionError,
  PreconditionError,
  TooManyRequestsError,
  UnavailableError,
  ValidationError,
} from './errors.ts'

/** `SkuUnavailableError` is the class of `sku_unavailable`. */
const BY_CODE = new Map<string, typeof PavilionError>(
  Object.entries(classes).map(([name, Class]) => [codeOf(name), Class]),
)

function codeOf(name: string): string {
  const words = name.replace(/Error$/, '').split(/(?=[A-Z])/)
  return words.join('_').toLowerCase()
}

const BY_STATUS = new Map<number, typeof PavilionError>([
  [0, ConnectionError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, GoneError],
  [412, PreconditionError],
  [422, ValidationError],
  [429, TooManyRequestsError],
  [503, UnavailableError],
])

/** The error of a response, by its problem document where it has one. */
export function errorFrom(status: number, json: unknown): PavilionError {
  const body = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>
  const code = typeof body.code === 'string' ? body.code : `status_${status}`
  const detail =
    typeof body.detail === 'string' ? body.detail : `The server answered with status ${status}.`
  const Class = BY_CODE.get(code) ?? BY_STATUS.get(status) ?? PavilionError
  return new Class(status, code, detail, body)
}
