import type { FastifyRequest } from 'fastify'
import { undoImport } from '../../feeds/importing/applying/undo-import.ts'
import {
  getImport,
  type ImportRecord,
  listImports,
  listRejections,
} from '../../feeds/importing/import-store.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { getSupplierByUuid } from '../../gems/supplier-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { forCaller } from '../request/acting.ts'
import { registerUploads } from '../request/upload.ts'
import { type App, supplierUuidOf, supplierWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import {
  ImportDetailSchema,
  ImportRecordSchema,
  ImportReportSchema,
  OwnImportListQuery,
  OwnImportQuery,
} from '../schemas/imports.ts'
import { pageOf } from '../schemas/page.ts'
import type { Services } from '../services.ts'
import { receiveImport, renderImport, UPLOAD_EXAMPLE } from '../shared/imports.ts'

const reading = { access: supplierWith('inventory:read') } as const
const writing = { access: supplierWith('inventory') } as const
const tags = ['Imports']
const params = inlineObject({ uuid: uuid('UUID of the import') })

/** A supplier's own files: the same import, report and limits as for the operator. */
export function registerSupplierImports(app: App, services: Services): void {
  registerUploads(app, (scope) => {
    scope.post(
      '/api/supplier/imports',
      {
        config: { ...writing, uploadExample: UPLOAD_EXAMPLE },
        schema: {
          tags,
          summary: 'Imports a file of your stones, which is the body',
          description:
            'The file is CSV, TSV, semicolon or pipe separated text, JSON, NDJSON or XLSX, ' +
            'gzipped or not. Importing the same file again changes nothing. The file is received ' +
            'completely before it is imported. A dry run shows your own prices.',
          querystring: OwnImportQuery,
          response: { 200: ImportReportSchema },
        },
      },
      async (request, reply) => {
        const { name } = await supplierOf(services, request)
        const query = { ...request.query, supplier: name, reader: 'supplier' } as const
        return receiveImport(services, request, reply, query)
      },
    )
  })
  registerUndo(app, services)
  registerHistory(app, services)
}

/**
 * Only the latest import can be undone. The documents name it first, because the example of an
 * upload is a later one.
 */
function registerUndo(app: App, services: Services): void {
  const { pools, runOnce } = services
  app.post(
    '/api/supplier/imports/:uuid/undo',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Undoes your last import',
        params,
        response: { 200: ImportRecordSchema },
      },
    },
    async (request, reply) => {
      const { uuid } = await ownImport(services, request, request.params.uuid)
      return runOnce(request, reply, async () =>
        renderImport(await undoImport(forCaller(pools.imports, request), uuid)),
      )
    },
  )
}

function registerHistory(app: App, services: Services): void {
  const { db } = services
  app.get(
    '/api/supplier/imports',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the imports of your files, newest first, those of the operator included',
        querystring: OwnImportListQuery,
        response: { 200: pageOf('ImportPage', 'imports', ImportRecordSchema) },
      },
    },
    async (request) => {
      const { name } = await supplierOf(services, request)
      const { limit, offset } = request.query
      const { imports, total } = await listImports(db, { ...request.query, supplier: name })
      return { imports: imports.map(renderImport), total, limit, offset }
    },
  )

  app.get(
    '/api/supplier/imports/:uuid',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Returns one of your imports with its columns and rejected rows',
        params,
        response: { 200: ImportDetailSchema },
      },
    },
    async (request) => {
      const record = await ownImport(services, request, request.params.uuid)
      const rejections = await listRejections(db, record.uuid)
      return { ...renderImport(record), rejections }
    },
  )
}

function supplierOf({ db }: Services, request: FastifyRequest): Promise<Supplier> {
  return getSupplierByUuid(db, supplierUuidOf(request))
}

/** An import of somebody else does not exist for the caller. */
async function ownImport(
  services: Services,
  request: FastifyRequest,
  uuid: string,
): Promise<ImportRecord> {
  const { id } = await supplierOf(services, request)
  const record = await getImport(services.db, uuid)
  if (record.supplier_id === id) return record
  throw new Refusal('not_found', `There is no import ${uuid}.`)
}
