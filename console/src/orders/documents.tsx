import { useAction } from '../api/hooks.ts'
import { downloadDocument, type OrderDocument } from '../api/orders.ts'
import { saveFile } from '../lib/download.ts'
import { dateTime } from '../lib/format.ts'
import { ProblemNote } from '../parts/feedback.tsx'

const TITLES: Record<OrderDocument['kind'], string> = {
  invoice: 'Invoice',
  packing_slip: 'Packing slip',
  memo: 'Memorandum',
  credit_note: 'Credit note',
}

/** The PDFs of an order. A link cannot carry the token, so a button fetches and saves them. */
export function OrderDocuments({ documents }: { documents: readonly OrderDocument[] }) {
  const action = useAction()
  if (documents.length === 0) {
    return <p class="muted">None yet. The invoice is issued with the first shipment.</p>
  }
  const save = (document: OrderDocument) =>
    void action.run(async () =>
      saveFile(await downloadDocument(document), `${document.number}.pdf`),
    )
  return (
    <>
      <ProblemNote problem={action.problem} />
      <ul class="stack">
        {documents.map((document) => (
          <li key={document.number}>
            <button
              type="button"
              class="button is-small"
              disabled={action.busy}
              onClick={() => save(document)}
            >
              {TITLES[document.kind]} {document.number}
            </button>{' '}
            <span class="muted small">{dateTime(document.created_on)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
