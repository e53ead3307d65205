import type { Static } from 'typebox'
import type {
  ImportDetailSchema,
  ImportListQuery,
  ImportQuery as ImportQuerySchema,
  ImportRecordSchema,
  ImportReportSchema,
} from '../../../src/http/schemas/imports.ts'
import type { SuppliersSchema } from '../../../src/http/schemas/suppliers.ts'
import { ApiProblem, call, type Page, problemFrom, urlOf } from './client.ts'
import { session, sessionToken } from './session-store.ts'

export type ImportReport = Static<typeof ImportReportSchema>
export type ImportColumn = ImportReport['columns'][number]
export type ImportRejection = ImportReport['rejections'][number]
export type ImportDiff = NonNullable<ImportReport['diff']>
export type ImportRecord = Static<typeof ImportRecordSchema>
export type ImportQuery = Omit<Static<typeof ImportQuerySchema>, 'supplier'> & {
  /** The operator names the supplier of a file; a supplier imports its own. */
  supplier?: string
}

/** Whose imports the signed-in person sees: those of all suppliers, or its own. */
export function importSide(): 'operator' | 'supplier' {
  return session.get()?.role === 'supplier' ? 'supplier' : 'operator'
}

const importsPath = () => `/api/${importSide()}/imports`

export function listImports(
  query: Static<typeof ImportListQuery>,
  signal?: AbortSignal,
): Promise<Page<'imports', typeof ImportRecordSchema>> {
  return call('GET', importsPath(), { query, signal })
}

export function readImport(
  uuid: string,
  signal?: AbortSignal,
): Promise<Static<typeof ImportDetailSchema>> {
  return call('GET', `${importsPath()}/{uuid}`, { path: { uuid }, signal })
}

export function undoImport(uuid: string): Promise<ImportRecord> {
  return call('POST', `${importsPath()}/{uuid}/undo`, { path: { uuid } })
}

export function listSuppliers(signal?: AbortSignal): Promise<Static<typeof SuppliersSchema>> {
  return call('GET', '/api/operator/suppliers', { signal })
}

/**
 * Sends a file: `POST …/imports`. Not with fetch, because only XMLHttpRequest reports
 * the progress of an upload, and a supplier's file may be large.
 */
export function sendImport(
  file: File,
  query: ImportQuery,
  onProgress: (share: number) => void,
): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', urlOf(importsPath(), { query }))
    request.setRequestHeader('Authorization', `Bearer ${sessionToken() ?? ''}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('error', () => {
      const detail = 'The connection was lost during the upload. Nothing was changed.'
      reject(new ApiProblem(0, 'connection_lost', detail))
    })
    request.addEventListener('load', () => {
      const body: unknown = JSON.parse(request.responseText || 'null')
      if (request.status === 200) resolve(body as ImportReport)
      else reject(problemFrom(request.status, body))
    })
    request.send(file)
  })
}
