import type { ImportRecord, ImportRejection } from '../api/imports.ts'
import { count } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'

const STATUS_CLASSES: Partial<Record<ImportRecord['status'], string>> = {
  done: 'is-good',
  failed: 'is-bad',
  undone: 'is-warn',
}

export function ImportStatus({ status }: { status: ImportRecord['status'] }) {
  return <span class={`tag ${STATUS_CLASSES[status] ?? 'is-accent'}`}>{status}</span>
}

const SHOWN_MAX = 100

/** The rows that were not imported, each with the reason. */
export function RejectionTable({ rejections }: { rejections: ImportRejection[] }) {
  if (rejections.length === 0) return null
  return (
    <details open>
      <summary>
        Rejected rows <span class="tag is-warn">{count(rejections.length)}</span>
      </summary>
      <ScrollArea class="wide-scroll small" label="Rejected rows">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Column</th>
              <th scope="col">Value</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {rejections.slice(0, SHOWN_MAX).map((rejection, index) => (
              <tr key={index}>
                <td>{rejection.row}</td>
                <td>{rejection.column}</td>
                <td>{rejection.value}</td>
                <td>{rejection.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}
