import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { ImportRecord } from '../../feeds/importing/import-store.ts'
import type { DiffReader } from '../../feeds/importing/plan-import.ts'
import type { ImportReport } from '../../feeds/importing/report.ts'
import { runImport } from '../../feeds/importing/run-import.ts'
import { priceMeaningOf } from '../../feeds/mapping/mapping.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { forCaller } from '../request/acting.ts'
import { importOptions, mappingOf } from '../request/upload.ts'
import { untilClosed } from '../response/on-closed.ts'
import type { ImportQuery } from '../schemas/imports.ts'
import type { Services } from '../services.ts'

export const UPLOAD_EXAMPLE =
  'Stock #,Shape,Weight,Color,Clarity,Price Per Carat\nS-1,Round,1.01,G,VS2,4200\n'
/** Files of stones have no limit of their own; the setting UPLOAD_MEGABYTES decides. */
export const FILE_BYTES_MAX = Number.POSITIVE_INFINITY

/** Receives a file of stones completely, then imports it; the operator and suppliers send them. */
export function receiveImport(
  { pools: { imports }, runOnce, uploads }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  query: Static<typeof ImportQuery> & { reader: DiffReader },
): Promise<ImportReport> {
  const mapping = mappingOf(query.mapping)
  return uploads.receive(request, reply, FILE_BYTES_MAX, (upload) =>
    runOnce(request, reply, () =>
      runImport(forCaller(imports, request), {
        ...importOptions(query, upload),
        mapping,
        sheet: query.sheet,
        price: priceMeaningOf(query.price),
        acceptPrices: query.accept_prices,
        relearn: query.relearn,
        reader: query.reader,
        // What changes the market is finished, and the history of imports tells how it ended.
        signal: query.dry_run ? untilClosed(request, reply) : undefined,
      }),
    ),
  )
}

export function renderImport(record: ImportRecord) {
  return {
    ...record,
    started_on: isoWithOffset(record.started_on),
    finished_on: isoOrNull(record.finished_on),
  }
}
