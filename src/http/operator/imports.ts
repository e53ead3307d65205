import { undoImport } from '../../feeds/importing/applying/undo-import.ts'
import { explainImport } from '../../feeds/importing/explain-import.ts'
import { getImport, listImports, listRejections } from '../../feeds/importing/import-store.ts'
import { decideQuarantined, listQuarantine } from '../../feeds/importing/quarantine.ts'
import { priceMeaningOf } from '../../feeds/mapping/mapping.ts'
import { forCaller } from '../request/acting.ts'
import { mappingOf, registerUploads } from '../request/upload.ts'
import { untilClosed } from '../response/on-closed.ts'
import { type App, operatorWith } from '../route.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import {
  DecidedRowSchema,
  ExplainQuery,
  ImportDetailSchema,
  ImportListQuery,
  ImportQuery,
  ImportRecordSchema,
  ImportReportSchema,
  MappingFileSchema,
  QuarantinedRowSchema,
  QuarantineQuery,
} from '../schemas/imports.ts'
import { pageOf } from '../schemas/page.ts'
import type { Services } from '../services.ts'
import { FILE_BYTES_MAX, receiveImport, renderImport, UPLOAD_EXAMPLE } from '../shared/imports.ts'

const reading = { access: operatorWith('inventory:read') } as const
const writing = { access: operatorWith('inventory') } as const
const tags = ['Imports']
const params = inlineObject({ uuid: uuid('UUID of the import') })

/** Imports of stones: upload, history, and what an operator should review. */
export function registerImports(app: App, services: Services): void {
  registerUpload(app, services)
  registerExplain(app, services)
  registerHistory(app, services)
  registerQuarantine(app, services)
}

function registerUpload(app: App, services: Services): void {
  registerUploads(app, (scope) => {
    scope.post(
      '/api/operator/imports',
      {
        config: { ...writing, uploadExample: UPLOAD_EXAMPLE },
        schema: {
          tags,
          summary: "Imports a supplier's file of stones, which is the body",
          description:
            'The file is CSV, TSV, semicolon or pipe separated text, JSON, NDJSON or XLSX, ' +
            'gzipped or not. Importing the same file again changes nothing. The file is received ' +
            'completely before it is imported.',
          querystring: ImportQuery,
          response: { 200: ImportReportSchema },
        },
      },
      (request, reply) =>
        receiveImport(services, request, reply, { ...request.query, reader: 'operator' }),
    )
  })
}

function registerExplain(app: App, { pools: { imports }, uploads }: Services): void {
  registerUploads(app, (scope) => {
    scope.post(
      '/api/operator/imports/explain',
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
            'Nothing is changed. Columns that are unsure and values that were not understood are ' +
            'noted; change the mapping and import the file with it.',
          querystring: ExplainQuery,
          response: { 200: MappingFileSchema },
        },
      },
      (request, reply) => {
        const { supplier, currency, price, relearn, mapping, sheet } = request.query
        const own = mappingOf(mapping)
        return uploads.receive(request, reply, FILE_BYTES_MAX, ({ bytes }) =>
          explainImport(imports.db, {
            supplier,
            currency,
            relearn,
            bytes,
            sheet,
            mapping: own,
            price: priceMeaningOf(price),
            signal: untilClosed(request, reply),
          }),
        )
      },
    )
  })
}

function registerHistory(app: App, { db, pools, runOnce }: Services): void {
  app.get(
    '/api/operator/imports',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the imports, newest first unless another order is asked for',
        querystring: ImportListQuery,
        response: { 200: pageOf('ImportPage', 'imports', ImportRecordSchema) },
      },
    },
    async ({ query }) => {
      const { limit, offset } = query
      const { imports, total } = await listImports(db, query)
      return { imports: imports.map(renderImport), total, limit, offset }
    },
  )

  app.get(
    '/api/operator/imports/:uuid',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Returns one import with its columns and rejected rows',
        params,
        response: { 200: ImportDetailSchema },
      },
    },
    async (request) => {
      const record = await getImport(db, request.params.uuid)
      const rejections = await listRejections(db, record.uuid)
      return { ...renderImport(record), rejections }
    },
  )

  app.post(
    '/api/operator/imports/:uuid/undo',
    {
      config: writing,
      schema: {
        tags,
        summary: "Undoes a supplier's last import",
        params,
        response: { 200: ImportRecordSchema },
      },
    },
    (request, reply) =>
      runOnce(request, reply, async () =>
        renderImport(await undoImport(forCaller(pools.imports, request), request.params.uuid)),
      ),
  )
}

const DECISIONS = [
  {
    path: '/api/operator/inventory/quarantine/:uuid/release',
    decision: 'released',
    summary: 'Puts a row in quarantine on sale as it is',
  },
  {
    path: '/api/operator/inventory/quarantine/:uuid/dismiss',
    decision: 'dismissed',
    summary: 'Removes a row from quarantine without putting it on sale',
  },
] as const

function registerQuarantine(app: App, { db, pools, runOnce, catchUp }: Services): void {
  app.get(
    '/api/operator/inventory/quarantine',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: "Lists the doubtful rows of each supplier's last import",
        querystring: QuarantineQuery,
        response: { 200: pageOf('QuarantinePage', 'rows', QuarantinedRowSchema) },
      },
    },
    async ({ query }) => ({
      ...(await listQuarantine(db, query)),
      offset: query.offset,
      limit: query.limit,
    }),
  )

  for (const { path, decision, summary } of DECISIONS) {
    app.post(
      path,
      {
        config: writing,
        schema: {
          tags,
          summary,
          description:
            "The decision also holds for the supplier's next files, until the price of the row " +
            'changes. Undoing the import takes a released stone off sale again.',
          params: inlineObject({ uuid: uuid('UUID of the row') }),
          response: { 200: DecidedRowSchema },
        },
      },
      (request, reply) =>
        runOnce(request, reply, async () => {
          const database = forCaller(pools.imports, request)
          const row = await decideQuarantined(database, request.params.uuid, decision)
          await catchUp()
          return row
        }),
    )
  }
}
