import { ProblemSchema } from '../schemas/problem.ts'
import type { Components, JsonSchema } from './components.ts'
import { headersOfResponse } from './headers.ts'
import type { Operation } from './operations.ts'
import { listProblemCodes } from './problem-codes.ts'

const DESCRIPTIONS: Record<number, string> = {
  400: 'The body is not valid JSON',
  401: 'The token is missing or not valid, or API access is not enabled for the merchant',
  403: 'The token is not allowed to do this',
  404: 'It does not exist, or belongs to another merchant',
  408: 'The body arrived too slowly',
  409: 'Conflicts with the current state',
  412: 'If-Match does not fit: it was changed since it was read',
  413: 'The body is too large',
  415: 'The media type of the body is not supported',
  422: 'A value, type or name in the request is not valid',
  429: 'Too many requests; Retry-After says when to try again',
  503: 'Temporarily unavailable; Retry-After says when to try again',
}

/** Lists the problems that an operation can return. */
export function problemResponses(operation: Operation, components: Components) {
  // Every operation refuses unknown names in its address.
  const statuses = [422, 503, ...accessStatuses(operation), ...bodyStatuses(operation)]
  if (operation.schema.params || operation.namesOthers) statuses.push(404)
  if (operation.hasEtag && !['GET', 'POST'].includes(operation.method)) statuses.push(412)
  return Object.fromEntries(
    statuses
      .sort((a, b) => a - b)
      .map((status) => [status, problemResponse(operation, status, components)] as const),
  )
}

/**
 * Calls without a token are limited by their address. A public POST is a sign-in, whose code or key
 * may be wrong or not for that address.
 */
function accessStatuses({ access, method }: Operation): number[] {
  if (access.who === 'public') return method === 'POST' ? [401, 403, 429] : [429]
  return [401, 403, 429]
}

/** What changes something may also conflict with the state, or name what does not exist. */
function bodyStatuses({ isRead, schema, uploadExample }: Operation): number[] {
  const state = isRead ? [] : [404, 409]
  if (uploadExample) return [...state, 408, 413]
  if (schema.body) return [...state, 400, 413, 415]
  return state
}

/** Adds the list of all codes, which the schema of a problem refers to. */
export function withProblemCodes(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const problem: JsonSchema = schemas.Problem ?? {}
  const code = { $ref: '#/components/schemas/ProblemCode' }
  return {
    ...schemas,
    Problem: { ...problem, properties: { ...problem.properties, code } },
    ProblemCode: problemCodeSchema(),
  }
}

function problemCodeSchema(): JsonSchema {
  const codes = listProblemCodes()
  return {
    title: 'ProblemCode',
    type: 'string',
    description:
      'Every code of an error; /docs/errors says what each means. Further codes may be added.',
    enum: codes.map(({ code }) => code),
    'x-enum-descriptions': codes.map(({ meaning }) => meaning),
    examples: ['not_found'],
  }
}

function problemResponse(operation: Operation, status: number, components: Components) {
  const schema = components.referTo(ProblemSchema as unknown as JsonSchema)
  return {
    description: DESCRIPTIONS[status],
    headers: headersOfResponse(operation, status),
    content: {
      'application/problem+json': {
        schema,
        example: {
          type: `urn:pavilion:problem:${codeOf(status)}`,
          title: DESCRIPTIONS[status],
          status,
          detail: 'What is wrong in this case, and what to do about it.',
          code: codeOf(status),
          request_id: 'req-4f1c2a',
        },
      },
    },
  }
}

/** The code that a status has most often. */
const COMMON_CODES = new Map([
  [404, 'not_found'],
  [409, 'wrong_state'],
  [422, 'invalid_request'],
  [429, 'rate_limited'],
  [503, 'overloaded'],
])

function codeOf(status: number): string {
  const first = listProblemCodes().find((each) => each.status === status)
  return COMMON_CODES.get(status) ?? first?.code ?? 'internal_error'
}
