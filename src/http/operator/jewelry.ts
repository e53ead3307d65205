import { explainJewelry } from '../../jewelry/importing/explain-jewelry.ts'
import { importJewelry } from '../../jewelry/importing/import-jewelry.ts'
import {
  getJewelryImport,
  type JewelryImport,
  listJewelryImports,
} from '../../jewelry/importing/import-store.ts'
import { FILE_BYTES_MAX } from '../../jewelry/importing/reading/read-file.ts'
import { undoJewelryImport } from '../../jewelry/importing/undo-import.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { callerDb } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import { importOptions, mappingOf, registerUploads } from '../request/upload.ts'
import { untilClosed } from '../response/on-closed.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { MappingFileSchema } from '../schemas/imports.ts'
import { pageOf } from '../schemas/page.ts'
import {
  JewelryExplainQuery,
  JewelryImportListQuery,
  JewelryImportQuery,
  JewelryImportSchema,
  JewelryReportSchema,
} from '../schemas/product-operator.ts'
import type { Services } from '../services.ts'

const reading = { access: operatorWith('inventory:read') } as const
const writing = { access: operatorWith('inventory') } as const
const tags = ['Jewelry']
const UPLOAD_EXAMPLE =
  'Stock Number,Jewelry Type,Jewelry Title,Jewelry Total Price\nR-1,Ring,Solitaire,1200\n'
const params = inlineObject({ uuid: uuid('UUID of the import') })

/** Imports of jewelry and watches. Unlike an import of stones, one is a single transaction. */
export function registerJewelryImports(app: App, services: Services): void {
  const { db, pools } = services
  registerUpload(app, services)
  registerExplain(app, services)

  app.get(
    '/api/operator/jewelry/imports',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the jewelry imports, newest first unless sorted otherwise',
        querystring: JewelryImportListQuery,
        response: { 200: pageOf('JewelryImportPage', 'imports', JewelryImportSchema) },
      },
    },
    async ({ query }) => {
      const { imports, total } = await listJewelryImports(db, query)
      const { limit, offset } = query
      return { imports: imports.map(renderImport), total, offset, limit }
    },
  )

  app.get(
    '/api/operator/jewelry/imports/:uuid',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Returns one jewelry import',
        params,
        response: { 200: JewelryImportSchema },
      },
    },
    async (request) => renderImport(await getJewelryImport(db, request.params.uuid)),
  )

  app.post(
    '/api/operator/jewelry/imports/:uuid/undo',
    {
      config: writing,
      schema: {
        tags,
        summary: "Undoes a supplier's last jewelry import",
        params,
        response: { 200: JewelryImportSchema },
      },
    },
    (request, reply) =>
      writeOnce(pools.imports.db, request, reply, 200, async (tx) =>
        renderImport(await undoJewelryImport(tx, request.params.uuid)),
      ),
  )
}

function registerUpload(app: App, { pools: { imports }, runOnce, uploads }: Services): void {
  registerUploads(app, (scope) => {
    scope.post(
      '/api/operator/jewelry/imports',
      {
        config: { ...writing, uploadExample: UPLOAD_EXAMPLE },
        schema: {
          tags,
          summary: "Imports a supplier's file of jewelry and watches, which is the body",
          description:
            'The file is CSV, XLSX, XLS, an HTML table, XML or JSON, packed or not, with the ' +
            'columns of the RapNet jewelry upload or of the export of a shop. A second import of ' +
            'the same file changes nothing.',
          querystring: JewelryImportQuery,
          response: { 200: JewelryReportSchema },
        },
      },
      (request, reply) => {
        const { query } = request
        const mapping = mappingOf(query.mapping)
        return uploads.receive(request, reply, FILE_BYTES_MAX, (upload) =>
          runOnce(request, reply, () =>
            importJewelry(callerDb(imports.db, request), {
              ...importOptions(query, upload),
              catalogue: query.catalogue,
              mapping,
              signal: query.dry_run ? untilClosed(request, reply) : undefined,
            }),
          ),
        )
      },
    )
  })
}

function registerExplain(app: App, { pools: { imports }, uploads }: Services): void {
  registerUploads(app, (scope) => {
    scope.post(
      '/api/operator/jewelry/imports/explain',
      {
        config: {
          ...writing,
          uploadExample: UPLOAD_EXAMPLE,
          changesNothing: true,
          namesOthers: true,
        },
        schema: {
          tags,
          summary: 'Returns the mapping that an import of the file would use',
          description:
            'Nothing is changed. Columns that are not used and values that were not understood ' +
            'are noted; change the mapping and import the file with it.',
          querystring: JewelryExplainQuery,
          response: { 200: MappingFileSchema },
        },
      },
      (request, reply) => {
        const { supplier, mapping } = request.query
        const own = mappingOf(mapping)
        return uploads.receive(request, reply, FILE_BYTES_MAX, ({ bytes }) =>
          explainJewelry(imports.db, {
            supplier,
            bytes,
            mapping: own,
            signal: untilClosed(request, reply),
          }),
        )
      },
    )
  })
}

function renderImport(record: JewelryImport) {
  return {
    ...record,
    created_on: isoWithOffset(record.created_on),
    undone_on: isoOrNull(record.undone_on),
  }
}
