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
  file_name?: string
}

export function importOptions(query: ImportQuery, { bytes }: Upload) {
  return {
    supplier: query.supplier,
    mode: query.mode,
    dryRun: query.dry_run,
    currency: query.currency,
    maxRemovedShare: query.max_removed / 100,
    fileName: query.file_name,
    bytes,
  }
}

export function isUpload(body: unknown): body is Upload {
  return body !== null && typeof body === 'object' && 'digest' in body && 'bytes' in body
}
