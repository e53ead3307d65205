import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { App } from '../route.ts'

/** A file that is the whole body, of any type: it is read while it arrives. */
export interface Upload {
  bytes: AsyncIterable<Uint8Array>
  /** What the file was, once its end is read; undefined when the reader stopped before. */
  digest(): string | undefined
}

/** A scope whose routes take a file as their body, of at most so many bytes. */
export function registerUploads(
  app: App,
  fileBytesMax: number,
  register: (scope: App) => void,
): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { bodyLimit: fileBytesMax }, (_request, payload, done) =>
      done(null, uploadOf(payload)),
    )
    register(scope)
  })
}

/** The body of a route of such a scope; a call without a body has an empty file. */
function uploadIn(body: unknown): Upload {
  return isUpload(body) ? body : uploadOf(Readable.from([]))
}

/** What the query of an import says, whatever kind of goods the file holds. */
interface ImportWords {
  supplier: string
  mode: 'update' | 'replace'
  dry_run: boolean
  currency?: string
  max_removed: number
  file_name?: string
}

export function importWish(query: ImportWords, body: unknown) {
  return {
    supplier: query.supplier,
    mode: query.mode,
    dryRun: query.dry_run,
    currency: query.currency,
    maxRemovedShare: query.max_removed / 100,
    fileName: query.file_name,
    bytes: uploadIn(body).bytes,
  }
}

export function isUpload(body: unknown): body is Upload {
  return body !== null && typeof body === 'object' && 'digest' in body && 'bytes' in body
}

function uploadOf(payload: Readable): Upload {
  const hash = createHash('sha256')
  let digest: string | undefined
  async function* hashed() {
    for await (const chunk of payload) {
      hash.update(chunk)
      yield chunk
    }
    digest = hash.digest('base64url')
  }
  return { bytes: hashed(), digest: () => digest }
}
