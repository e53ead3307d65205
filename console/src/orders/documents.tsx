import { useAction } from '../api/hooks.ts'
import { downloadDocument, type OrderDocument } from '../api/orders.ts'
import { t } from '../language/language.ts'
import { saveFile } from '../lib/download.ts'
import { dateTime } from '../lib/format.ts'
import { ProblemNote } from '../parts/feedback.tsx'

const TITLES: Record<OrderDocument['kind'], string> = {
  invoice: t('Invoice'),
  packing_slip: t('Packing slip'),
  memo: t('Memorandum'),
  credit_note: t('Credit note'),
}

/** The PDFs of an order. A link cannot carry the token, so a button fetches and saves them. */
export function OrderDocuments(props: {
  documents: readonly OrderDocument[]
  /** Without dates and explanation, as in the cell of a table. */
  isShort?: boolean
  /** Whether nothing of the order is left, so that none will be issued. */
  isCancelled?: boolean
}) {
  const { documents, isShort = false, isCancelled = false } = props
  const action = useAction()
  if (documents.length === 0) {
    if (isShort) return <>–</>
    return (
      <p class="muted">
        {isCancelled
          ? t('None: the order is cancelled.')
          : t('None yet. The invoice is issued with the first shipment.')}
      </p>
    )
  }
  const save = (document: OrderDocument) =>
    void action.run(async () =>
      saveFile(await downloadDocument(document), `${document.number}.pdf`),
    )
  return (
    <>
      <ProblemNote problem={action.problem} />
      <ul class="stack documents">
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
            {!isShort && <span class="muted small">{dateTime(document.created_on)}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}
