/** The documents of an order: issuing the invoice, and saving a document as a PDF file. */
import { writeFile } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import type { Db } from '../../database/open.ts'
import { DOCUMENT_KINDS, type DocumentKind } from '../../documents/content.ts'
import { createRenderer } from '../../documents/renderer.ts'
import { getDocument, readPdf } from '../../orders/documents/download-document.ts'
import { invoiceOrder } from '../../orders/steps/invoice-order.ts'
import { readUuid } from '../arguments.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import { change, EXAMPLE_UUID } from './change.ts'

export function invoiceCommand(): Command {
  const description = 'Issue the invoice before anything ships'
  return command('invoice', description, `pavilion order invoice ${EXAMPLE_UUID}`)
    .argument('<uuid>', 'UUID of the order', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      change(options, (tx) => invoiceOrder(tx, uuid)),
    )
}

interface DocumentOptions extends CommonOptions {
  number?: string
  out?: string
}

export function documentCommand(): Command {
  const example = `pavilion order document ${EXAMPLE_UUID} invoice --out invoice.pdf`
  return command('document', 'Save a document of an order as a PDF file', example)
    .argument('<uuid>', 'UUID of the order', readUuid)
    .addArgument(new Argument('<kind>', 'Kind of document').choices(DOCUMENT_KINDS))
    .option('--number <number>', 'Number of the document (default: the latest of its kind)')
    .option('--out <file>', 'File to write (default: <number>.pdf)')
    .action((uuid: string, kind: DocumentKind, options: DocumentOptions) =>
      onMarket(
        options,
        ({ database: { db } }) => save(db, uuid, kind, options),
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
    await writeFile(file, pdf)
    return { kind, number: found.number, file, bytes: pdf.length }
  } finally {
    await renderer.close()
  }
}
