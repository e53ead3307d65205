import { ProblemSchema } from '../schemas/problem.ts'
import type { Components, JsonSchema } from './components.ts'
import type { Operation } from './operations.ts'

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
  const statuses = [503, 422, ...accessStatuses(operation), ...bodyStatuses(operation)]
  if (operation.schema.params) statuses.push(404)
  if (operation.hasEtag && !['GET', 'POST'].includes(operation.method)) statuses.push(412)
  return Object.fromEntries(
    statuses
      .sort((a, b) => a - b)
      .map((status) => [status, problemResponse(status, components)] as const),
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

function bodyStatuses({ method, schema, uploadExample }: Operation): number[] {
  if (uploadExample) return [404, 408, 409, 413]
  if (schema.body) return [400, 404, 409, 413, 415]
  return method === 'GET' ? [] : [404, 409]
}

function problemResponse(status: number, components: Components) {
  const schema = components.referTo(ProblemSchema as unknown as JsonSchema)
  return {
    description: DESCRIPTIONS[status],
    content: {
      'application/problem+json': {
        schema,
        example: {
          type: 'urn:pavilion:problem:example',
          title: DESCRIPTIONS[status],
          status,
          detail: 'What is wrong in this case, and what to do about it.',
          code: 'example',
          request_id: 'req-4f1c2a',
        },
      },
    },
  }
}
