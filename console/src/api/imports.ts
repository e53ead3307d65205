import { ApiProblem, call, problemFrom, urlOf } from './client.ts'
import { sessionToken } from './session-store.ts'

/** As `ImportColumn` in /openapi/operator.json. */
export interface ImportColumn {
  column: string
  field: string | null
  confidence: number
  reason: string
}

/** As `ImportRejection` in /openapi/operator.json. */
export interface ImportRejection {
  row: number
  column: string
  value: string
  reason: string
}

interface Figures {
  rows: number
  added: number
  changed: number
  unchanged: number
  removed: number
  rejected: number
}

export interface ImportDiff {
  added: { row: number; vendor_sku: string; wholesale_price: string }[]
  changed: {
    vendor_sku: string
    sku: string
    fields: Record<string, { from: unknown; to: unknown }>
  }[]
  removed: { vendor_sku: string; sku: string; wholesale_price: string }[]
  price_jumps: { vendor_sku: string; sku: string; from: string; to: string; percent: number }[]
}

/** As `ImportReport` in /openapi/operator.json. */
export interface ImportReport extends Figures {
  uuid: string
  supplier: string
  mode: string
  rejections: ImportRejection[]
  columns: ImportColumn[]
  unmapped: string[]
  quarantined: number
  dry_run: boolean
  diff?: ImportDiff
}

/** As `ImportRecord` in /openapi/operator.json. */
export interface ImportRecord extends Figures {
  uuid: string
  supplier: string
  mode: string
  status: string
  file_name: string
  failure: string | null
  started_on: string
  finished_on: string | null
}

/** As `ImportDetail` in /openapi/operator.json. */
export interface ImportDetail extends ImportRecord {
  columns: ImportColumn[]
  rejections: ImportRejection[]
}

export function listImports(
  page: { limit: number; offset: number },
  signal?: AbortSignal,
): Promise<{ imports: ImportRecord[]; total: number }> {
  return call('GET', '/api/operator/imports', { query: page, signal })
}

export function readImport(uuid: string, signal?: AbortSignal): Promise<ImportDetail> {
  return call('GET', '/api/operator/imports/{uuid}', { path: { uuid }, signal })
}

export function undoImport(uuid: string): Promise<ImportRecord> {
  return call('POST', '/api/operator/imports/{uuid}/undo', { path: { uuid } })
}

/** As `Supplier` in /openapi/operator.json. */
export interface Supplier {
  uuid: string
  name: string
  synced_on: string | null
}

export function listSuppliers(signal?: AbortSignal): Promise<{ suppliers: Supplier[] }> {
  return call('GET', '/api/operator/suppliers', { signal })
}

/** As `CertificateConflict` in /openapi/operator.json. */
export interface Conflict {
  lab: string | null
  cert_num: string
  contradicts: string[]
  suppliers: number
  stones: {
    sku: string
    supplier: string
    vendor_sku: string
    weight: number
    color: string | null
    shape: string
    state: string
  }[]
}

export function listConflicts(
  page: { limit: number; offset: number },
  signal?: AbortSignal,
): Promise<{ conflicts: Conflict[]; total: number }> {
  return call('GET', '/api/operator/inventory/conflicts', { query: page, signal })
}

/** As `QuarantinedRow` in /openapi/operator.json. */
export interface QuarantinedRow {
  import_uuid: string
  supplier: string
  row: number
  column: string
  value: string
  reason: string
  vendor_sku: string | null
}

export function listQuarantine(signal?: AbortSignal): Promise<{ rows: QuarantinedRow[] }> {
  return call('GET', '/api/operator/inventory/quarantine', { signal })
}

export interface ImportQuery {
  supplier: string
  mode: 'update' | 'replace'
  dry_run: boolean
  max_removed: number
  file_name: string
  mapping?: string
}

/**
 * Sends a file: `POST /api/operator/imports`. Not with fetch, because only XMLHttpRequest tells
 * how much of a body has left, and a supplier's file may be large.
 */
export function sendImport(
  file: File,
  query: ImportQuery,
  onSent: (share: number) => void,
): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', urlOf('/api/operator/imports', { query: { ...query } }))
    request.setRequestHeader('Authorization', `Bearer ${sessionToken() ?? ''}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded / total))
    request.addEventListener('error', () => {
      const detail = 'The connection broke while the file was sent. Nothing was changed.'
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
