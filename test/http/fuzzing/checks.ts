import type { FuzzRequest } from './requests.ts'

/** A response as it arrived. */
export interface FuzzResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** What a response must never contain: the server's files, its code and its statements. */
const LEAKS: readonly RegExp[] = [
  /\n\s+at .*:\d+:\d+/,
  /node:internal|node_modules|\/dist\/|\.pavilion\//,
  /syntax error at or near|invalid input syntax|violates \w+ constraint|relation "/,
  /\b(TypeError|RangeError|SyntaxError|ReferenceError|AggregateError)\b/,
  /\bcannot read propert|is not a function|is not iterable/i,
]

/** Statuses that any request may get, whatever its operation documents. */
const ANYWHERE = new Set([400, 401, 403, 404, 408, 413, 415, 417, 422, 429, 431, 503])

export interface CheckOptions {
  /** Texts that no response may repeat: the tokens of the requests, and folders of the machine. */
  secrets: readonly string[]
}

/** Returns what is wrong with a response; undefined when nothing is. */
export function findFault(
  request: FuzzRequest,
  response: FuzzResponse,
  { secrets }: CheckOptions,
): string | undefined {
  const { status, text } = response
  if (status === 500) return 'an internal error'
  // The script of the API reference contains such words as a program does.
  const isScript = String(response.headers['content-type']).includes('javascript')
  for (const leak of isScript ? [] : LEAKS) {
    const found = leak.exec(text)
    if (found) return `the response contains ${JSON.stringify(found[0])}`
  }
  if (secrets.some((secret) => text.includes(secret))) return 'the response contains a secret'
  if (status >= 400) return faultOfProblem(request, response)
  return faultOfSuccess(request, response)
}

function faultOfProblem(request: FuzzRequest, response: FuzzResponse): string | undefined {
  const { status, headers, text } = response
  const { operation, method } = request
  const isDocumented = operation?.method !== method || operation.statuses.has(status)
  if (!ANYWHERE.has(status) && !isDocumented) {
    return `the status ${status} is not documented`
  }
  const id = headers['x-request-id']
  if (typeof id !== 'string' || id === '') return 'there is no X-Request-Id'
  if (method === 'HEAD') return undefined
  if (!String(headers['content-type']).startsWith('application/problem+json')) {
    return `an error has the type ${String(headers['content-type'])}`
  }
  // A replayed response has the bytes of the first one, and so its id.
  const isReplayed = headers['idempotent-replayed'] === 'true'
  return faultOfShape(text, status, isReplayed ? undefined : id)
}

/** The shape of RFC 9457 that every error has. */
export function faultOfShape(
  text: string,
  status: number,
  requestId: string | undefined,
): string | undefined {
  const problem = parse(text)
  if (problem === undefined) return 'the problem is not JSON'
  const texts = ['type', 'title', 'detail', 'code', 'request_id'] as const
  for (const name of texts) {
    if (typeof problem[name] !== 'string' || problem[name] === '')
      return `the problem has no ${name}`
  }
  if (problem.status !== status) return `the problem says ${JSON.stringify(problem.status)}`
  if (requestId !== undefined && problem.request_id !== requestId)
    return 'the problem has another request id than the header'
  if (status === 422 && !Array.isArray(problem.errors)) return 'a 422 has no errors'
  const errors = (problem.errors ?? []) as Record<string, unknown>[]
  const isWrong = errors.some(
    ({ field, message }) => typeof field !== 'string' || typeof message !== 'string',
  )
  return isWrong ? 'an entry of errors has another shape' : undefined
}

function faultOfSuccess(request: FuzzRequest, response: FuzzResponse): string | undefined {
  const { operation, method } = request
  const { status, headers, text } = response
  // A method that the document does not have was answered with success.
  if (operation === undefined || method !== operation.method) return undefined
  if (!operation.statuses.has(status)) return `the status ${status} is not documented`
  const type = String(headers['content-type'] ?? '').split(';')[0]
  const validate = operation.validatorFor(status, type)
  if (validate === undefined || type !== 'application/json') return undefined
  const value = parse(text)
  if (value === undefined) return 'the response is not JSON'
  if (validate(value)) return undefined
  return `the response does not fit its schema: ${JSON.stringify(validate.errors?.slice(0, 2))}`
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
