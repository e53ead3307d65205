import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { App } from '../route.ts'

/** A file that is the whole body, of any media type. It is read while it arrives. */
export interface Upload {
  bytes: AsyncIterable<Uint8Array>
  /** The hash of the file; undefined when it was not read to its end. */
  digest(): string | undefined
}

/** Registers routes that accept a file of up to so many bytes as their body. */
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

/** Returns the file of a request; one without a body has an empty file. */
function uploadIn(body: unknown): Upload {
  return isUpload(body) ? body : uploadOf(Readable.from([]))
}

/** The query parameters that imports of stones and of jewelry share. */
interface ImportQuery {
  supplier: string
  mode: 'update' | 'replace'
  dry_run: boolean
  currency?: string
  max_removed: number
  file_name?: string
}

export function importOptions(query: ImportQuery, body: unknown) {
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
