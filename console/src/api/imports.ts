import type { Static } from 'typebox'
import type {
  ImportDetailSchema,
  ImportListQuery,
  ImportQuery as ImportQuerySchema,
  ImportRecordSchema,
  ImportReportSchema,
  MappingFileSchema,
} from '../../../src/http/schemas/imports.ts'
import type {
  JewelryImportListQuery,
  JewelryImportSchema,
  JewelryImportQuery as JewelryQuerySchema,
  JewelryReportSchema,
} from '../../../src/http/schemas/product-operator.ts'
import type { SupplierSchema } from '../../../src/http/schemas/suppliers.ts'
import { t } from '../language/language.ts'
import { ApiProblem, call, type Page, problemFrom, readAll, urlOf } from './client.ts'
import { session, sessionToken } from './session-store.ts'

export type ImportReport = Static<typeof ImportReportSchema>
export type ImportColumn = ImportReport['columns'][number]
export type ExplainedMapping = Static<typeof MappingFileSchema>
export type ImportRejection = ImportReport['rejections'][number]
export type ImportDiff = NonNullable<ImportReport['diff']>
export type ImportRecord = Static<typeof ImportRecordSchema>
export type ImportNotes = ImportReport['notes']
export type JewelryReport = Static<typeof JewelryReportSchema>
export type JewelryImport = Static<typeof JewelryImportSchema>
export type JewelryImportQuery = Static<typeof JewelryQuerySchema>
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

export function listSuppliers(signal?: AbortSignal): Promise<Static<typeof SupplierSchema>[]> {
  return readAll('/api/operator/suppliers', 'suppliers', { signal })
}

type Progress = (share: number) => void

/** Sends a file of stones. */
export function sendImport(
  file: File,
  query: ImportQuery,
  onProgress: Progress,
): Promise<ImportReport> {
  return sendFile(importsPath(), file, query, onProgress)
}

/** The mapping that an import of the file would use, to correct it as a file. */
export function explainImport(file: File, query: ImportQuery): Promise<ExplainedMapping> {
  const { supplier, currency, price, relearn, mapping, sheet } = query
  const asked = { supplier, currency, price, relearn, mapping, sheet }
  return sendFile('/api/operator/imports/explain', file, asked, () => {})
}

/** Sends a file of jewelry and watches. */
export function sendJewelry(
  file: File,
  query: JewelryImportQuery,
  onProgress: Progress,
): Promise<JewelryReport> {
  return sendFile('/api/operator/jewelry/imports', file, query, onProgress)
}

export function listJewelryImports(
  query: Static<typeof JewelryImportListQuery>,
  signal?: AbortSignal,
): Promise<Page<'imports', typeof JewelryImportSchema>> {
  return call('GET', '/api/operator/jewelry/imports', { query, signal })
}

export function readJewelryImport(uuid: string, signal?: AbortSignal): Promise<JewelryImport> {
  return call('GET', '/api/operator/jewelry/imports/{uuid}', { path: { uuid }, signal })
}

export function undoJewelryImport(uuid: string): Promise<JewelryImport> {
  return call('POST', '/api/operator/jewelry/imports/{uuid}/undo', { path: { uuid } })
}

/**
 * Not with fetch, because only XMLHttpRequest reports the progress of an upload, and a supplier's
 * file may be large.
 */
function sendFile<T>(
  path: string,
  file: File,
  query: Parameters<typeof urlOf>[1]['query'],
  onProgress: Progress,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', urlOf(path, { query }))
    request.setRequestHeader('Authorization', `Bearer ${sessionToken() ?? ''}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('error', () => {
      const detail = t('The connection was lost during the upload. Nothing was changed.')
      reject(new ApiProblem(0, 'upload_lost', detail))
    })
    request.addEventListener('load', () => {
      const body: unknown = JSON.parse(request.responseText || 'null')
      if (request.status === 200) resolve(body as T)
      else reject(problemFrom(request.status, body))
    })
    request.send(file)
  })
}
