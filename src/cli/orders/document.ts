/** The documents of an order: issuing the invoice, and saving a document as a PDF file. */
import { writeFile } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import type { Db } from '../../database/open.ts'
import { DOCUMENT_KINDS, type DocumentKind } from '../../documents/content.ts'
import { createRenderer } from '../../documents/renderer.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getDocument, readPdf } from '../../orders/documents/download-document.ts'
import { findOrderUuid } from '../../orders/order-store.ts'
import { invoiceOrder } from '../../orders/steps/invoice-order.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import { change, EXAMPLE_UUID, ORDER } from './change.ts'

export function invoiceCommand(): Command {
  const description = 'Issue the invoice before anything ships'
  return command('invoice', description, `pavilion order invoice ${EXAMPLE_UUID}`)
    .argument(...ORDER)
    .action((order: string, options: CommonOptions) =>
      change(options, async (tx) => invoiceOrder(tx, await findOrderUuid(tx, order))),
    )
}

interface DocumentOptions extends CommonOptions {
  number?: string
  out?: string
}

export function documentCommand(): Command {
  const example = `pavilion order document ${EXAMPLE_UUID} invoice --out invoice.pdf`
  return command('document', 'Save a document of an order as a PDF file', example)
    .argument(...ORDER)
    .addArgument(new Argument('<kind>', 'Kind of document').choices(DOCUMENT_KINDS))
    .option('--number <number>', 'Number of the document (default: the latest of its kind)')
    .option('--out <file>', 'File to write (default: <number>.pdf)')
    .action((order: string, kind: DocumentKind, options: DocumentOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => save(db, await findOrderUuid(db, order), kind, options),
        ({ number, file }) => `${number} is in ${file}.`,
      ),
    )
}

async function save(
  db: Db,
  order_uuid: string,
  kind: DocumentKind,
  { number, out }: DocumentOptions,
) {
  const found = await getDocument(db, { order_uuid, kind, number, merchant_uuid: undefined })
  const renderer = createRenderer()
  try {
    const pdf = await readPdf(db, renderer, found.uuid)
    const file = out ?? `${found.number}.pdf`
    await writeFile(file, pdf).catch((error: Error) => {
      throw new Refusal('invalid_request', `Cannot write ${file}: ${error.message}.`)
    })
    return { kind, number: found.number, file, bytes: pdf.length }
  } finally {
    await renderer.close()
  }
}
