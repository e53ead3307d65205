import type { ImportRejection } from '../../api/imports.ts'
import { count } from '../../lib/format.ts'

const SHOWN_MAX = 100

/** Rows that are not for sale, each with the reason. */
export function RejectionTable({ rejections }: { rejections: ImportRejection[] }) {
  if (rejections.length === 0) return null
  return (
    <details open>
      <summary>
        Rejected rows <span class="tag is-warn">{count(rejections.length)}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key */}
      <section class="wide-scroll small" tabIndex={0} aria-label="Rejected rows">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Column</th>
              <th scope="col">Value</th>
              <th scope="col">Why</th>
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
      </section>
    </details>
  )
}
