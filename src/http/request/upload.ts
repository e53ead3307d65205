import type { MappingFile } from '../../feeds/mapping/mapping-file.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../route.ts'

/** A file that was the whole body, of any media type, and is complete. */
export interface Upload {
  /** Can be read once. */
  bytes: AsyncIterable<Uint8Array>
  /** The hash of the file. */
  digest: string
}

/** Registers routes that accept a file as their body. `Uploads` receives it. */
export function registerUploads(app: App, register: (scope: App) => void): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    // The content says what a file is. Fastify would refuse a malformed type before it is read.
    scope.addHook('onRequest', (request, _reply, done) => {
      delete request.headers['content-type']
      done()
    })
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    register(scope)
  })
}

/** The query parameters that imports of stones and of jewelry share. */
interface ImportQuery {
  supplier: string
  mode: 'update' | 'replace'
  dry_run: boolean
  currency?: string
  max_removed: number
  max_jumps: number
  file_name?: string
}

export function importOptions(query: ImportQuery, { bytes }: Upload) {
  return {
    supplier: query.supplier,
    mode: query.mode,
    dryRun: query.dry_run,
    currency: query.currency,
    maxRemovedShare: query.max_removed / 100,
    maxJumpsShare: query.max_jumps / 100,
    fileName: query.file_name,
    bytes,
  }
}

/** Parses the query parameter `mapping`; what it says is checked by the import. */
export function mappingOf(text: string | undefined): MappingFile | undefined {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as MappingFile
  } catch (error) {
    const message = `is not valid JSON: ${(error as Error).message}`
    throw new Refusal('invalid_request', 'mapping is not valid JSON.', {
      errors: [{ field: 'mapping', message }],
    })
  }
}

export function isUpload(body: unknown): body is Upload {
  return body !== null && typeof body === 'object' && 'digest' in body && 'bytes' in body
}
