import { type App, merchantOrOperatorWith } from '../route.ts'
import { DocumentParams, NumberedDocumentParams, PdfSchema } from '../schemas/orders/documents.ts'
import type { Services } from '../services.ts'
import { sendDocument } from '../shared/documents.ts'

const config = { access: merchantOrOperatorWith('orders:read'), hasEtag: true } as const
const tags = ['Orders']
const response = { 200: PdfSchema }

/** The PDFs of an order. The order lists them in `documents`. */
export function registerDocumentsV3(app: App, services: Services): void {
  app.get(
    '/api/v3/orders/:uuid/documents/:kind.pdf',
    {
      config,
      schema: {
        tags,
        summary: 'Returns the latest document of a kind as a PDF',
        description:
          'An order has one invoice and one memo, a packing slip for each shipment, and a credit ' +
          'note each time that goods are cancelled or returned after the invoice.',
        params: DocumentParams,
        response,
      },
    },
    (request, reply) => sendDocument(services, request, reply, request.params),
  )

  app.get(
    '/api/v3/orders/:uuid/documents/:kind/:number.pdf',
    {
      config,
      schema: {
        tags,
        summary: 'Returns a document as a PDF',
        params: NumberedDocumentParams,
        response,
      },
    },
    (request, reply) => sendDocument(services, request, reply, request.params),
  )
}
