/**
 * Optimistic concurrency. A single resource carries a strong ETag, which stands for what a write
 * can change; a write with If-Match succeeds only while the resource still has one of the named
 * tags. That is decided in the transaction of the write, with the resource locked, so that of two
 * writers with the same tag one is refused, on whatever nodes they are.
 */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db, Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { write } from './acting.ts'

/** Adds the ETag of a resource to the response, and returns the resource. */
export function withEtag<Resource extends object>(
  reply: FastifyReply,
  resource: Resource,
): Resource {
  reply.header('etag', strongEtagOf(resource))
  return resource
}

/**
 * Runs the work of a PUT, PATCH or DELETE of a resource that has an ETag. `current` locks the
 * resource and returns it as its GET shows it; it is read only for a caller that sends If-Match.
 */
export function writeIfMatch<T>(
  db: Db,
  request: FastifyRequest,
  current: (tx: Tx) => Promise<object>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return write(db, request, async (tx) => {
    const header = request.headers['if-match']
    if (header !== undefined) refuseUnlessNamed(header, await current(tx))
    return work(tx)
  })
}

function refuseUnlessNamed(header: string, resource: object): void {
  // A resource that does not exist is refused with 404 before.
  if (header.trim() === '*') return
  const etag = strongEtagOf(resource)
  if (tagsOf(header).includes(etag)) return
  const detail =
    `If-Match is ${header.slice(0, SHOWN_LENGTH)}, but the ETag is ${etag}: it was changed since ` +
    'it was read. Read it again, and repeat the change if it is still wanted.'
  throw new Refusal('precondition_failed', detail, { extra: { etag } })
}

/** Enough for two tags in a sentence. */
const SHOWN_LENGTH = 80

/** The tags of the header. Weak ones stay weak, and are therefore equal to none of ours. */
function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? []
}

function strongEtagOf(resource: object): string {
  return `"${createHash('sha1').update(JSON.stringify(resource)).digest('base64url')}"`
}
