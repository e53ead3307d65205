import { invoiceOrder } from '../../../orders/steps/invoice-order.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, operatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import {
  DocumentParams,
  NumberedDocumentParams,
  PdfSchema,
} from '../../schemas/orders/documents.ts'
import { NothingBody, OperatorOrderSchema } from '../../schemas/orders/order-operator.ts'
import type { Services } from '../../services.ts'
import { sendDocument } from '../../shared/documents.ts'
import { renderForOperator } from '../../shared/operator-order-rendering.ts'

const reading = { access: operatorWith('orders:read'), hasEtag: true } as const
const tags = ['Orders']
const pdf = { 200: PdfSchema }

/** The PDFs of every order, and the invoice that is issued before anything ships. */
export function registerOperatorDocuments(app: App, services: Services): void {
  const { db, publicUrl } = services
  app.get(
    '/api/operator/orders/:uuid/documents/:kind.pdf',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Returns the latest document of a kind as a PDF',
        params: DocumentParams,
        response: pdf,
      },
    },
    (request, reply) => sendDocument(services, request, reply, request.params),
  )

  app.get(
    '/api/operator/orders/:uuid/documents/:kind/:number.pdf',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Returns a document as a PDF',
        params: NumberedDocumentParams,
        response: pdf,
      },
    },
    (request, reply) => sendDocument(services, request, reply, request.params),
  )

  app.post(
    '/api/operator/orders/:uuid/invoice',
    {
      config: { access: operatorWith('orders:write') },
      schema: {
        tags,
        summary: 'Issues the invoice before anything ships',
        description:
          'Without this call the invoice is issued when the first shipment is recorded, and that ' +
          'of a memo when it is converted. An order that has its invoice keeps it: the call then ' +
          'changes nothing.',
        params: inlineObject({ uuid: uuid('UUID of the order') }),
        body: NothingBody,
        response: { 200: OperatorOrderSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 200, async (tx) =>
        renderForOperator(await invoiceOrder(tx, request.params.uuid), publicUrl),
      ),
  )
}
