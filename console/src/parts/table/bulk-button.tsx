import { useAction } from '../../api/hooks.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { count } from '../../lib/format.ts'
import { confirmed } from '../confirm.tsx'
import { ProblemNote } from '../feedback.tsx'
import { showToast } from '../toast.tsx'
import type { Selection } from './selection.tsx'

/**
 * Does the same to each of the selected rows that it is possible for, one after another. The first
 * refusal ends it; what was not done stays selected.
 */
export function BulkButton<Row>(props: {
  selection: Selection<Row>
  /** What a session must be allowed to do; without it there is no button. */
  scope: string
  /** The selected rows that it is possible for. */
  rows: readonly Row[]
  /** The verb with the number of rows. */
  label: string
  /** What will happen, in a sentence. */
  text: string
  isDanger?: boolean
  step: (row: Row) => Promise<unknown>
  onDone: () => void
}) {
  const { selection, rows, label, text, isDanger = false } = props
  const action = useAction()
  const run = () =>
    action.run(async () => {
      if (!(await confirmed({ title: `${label}?`, text, action: label, isDanger }))) return
      const done: Row[] = []
      try {
        for (const row of rows) {
          await props.step(row)
          done.push(row)
        }
      } finally {
        if (done.length > 0) {
          const values = { done: count(done.length), count: count(rows.length) }
          showToast(t('Done: {done} of {count}', values))
          selection.toggleAll(done)
        }
        props.onDone()
      }
    })
  if (!mayDo(props.scope) || (rows.length === 0 && !action.problem)) return null
  return (
    <>
      {rows.length > 0 && (
        <button
          type="button"
          class={`button is-small ${isDanger ? 'is-danger' : ''}`}
          disabled={action.busy}
          onClick={() => void run()}
        >
          {label}
        </button>
      )}
      <ProblemNote problem={action.problem} />
    </>
  )
}
