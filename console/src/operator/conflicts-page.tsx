import { useAction, useRead } from '../api/hooks.ts'
import {
  type Conflict,
  dismissRow,
  listConflicts,
  listQuarantine,
  releaseRow,
} from '../api/imports.ts'
import { carats, humanize, plural } from '../lib/format.ts'
import { useOffset } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { showToast } from '../parts/toast.tsx'

const LIMIT = 25

/** Data that a person should check: quarantined rows, and certificates used more than once. */
export function ConflictsPage() {
  const offset = useOffset()
  const conflicts = useRead(String(offset), (signal) =>
    listConflicts({ limit: LIMIT, offset }, signal),
  )
  return (
    <>
      <div class="page-head">
        <h1>Conflicts and quarantine</h1>
      </div>
      <Quarantine />
      <section class="stack" style={{ marginTop: '28px' }} aria-labelledby="conflicts">
        <h2 id="conflicts">
          Certificates on more than one stone
          {conflicts.value && (
            <span class="muted small"> {plural(conflicts.value.total, 'certificate')}</span>
          )}
        </h2>
        <ProblemNote problem={conflicts.problem} onRetry={conflicts.reload} />
        {!conflicts.value && !conflicts.problem && <Loading />}
        {conflicts.value?.total === 0 && <Empty title="No conflicts" />}
        {conflicts.value?.conflicts.map((conflict) => (
          <ConflictPanel key={`${conflict.lab} ${conflict.cert_num}`} conflict={conflict} />
        ))}
        <Pager total={conflicts.value?.total ?? 0} limit={LIMIT} offset={offset} />
      </section>
    </>
  )
}

/** Deciding a row brings up the next one, so that one page is enough. */
const QUARANTINE_LIMIT = 100

function Quarantine() {
  const reading = useRead('quarantine', (signal) =>
    listQuarantine({ limit: QUARANTINE_LIMIT, offset: 0 }, signal),
  )
  const action = useAction()
  const decide = (send: typeof releaseRow, uuid: string) =>
    action.run(async () => {
      const { decision, vendor_sku } = await send(uuid)
      const isOnSale = decision === 'released'
      showToast(`${vendor_sku ?? 'The row'} ${isOnSale ? 'is on sale.' : 'was dismissed.'}`)
      reading.reload()
    })
  return (
    <ScrollArea label="Quarantine">
      <div class="panel-head">
        <h2>Quarantine</h2>
        <span class="muted small">
          implausible rows in each supplier's last import
          {reading.value && reading.value.total > 0 && `, ${plural(reading.value.total, 'row')}`}
        </span>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      <ProblemNote problem={action.problem} />
      {!reading.value && !reading.problem && <Loading rows={2} />}
      {reading.value?.rows.length === 0 && <p class="muted">No rows in quarantine.</p>}
      {reading.value && reading.value.rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Supplier</th>
              <th scope="col">Row</th>
              <th scope="col">Stone</th>
              <th scope="col">Value</th>
              <th scope="col">Reason</th>
              <th scope="col">Decision</th>
            </tr>
          </thead>
          <tbody>
            {reading.value.rows.map((row) => (
              <tr key={row.uuid}>
                <td>
                  <a href={`/operator/imports/${row.import_uuid}`}>{row.supplier}</a>
                </td>
                <td>{row.row}</td>
                <td class="mono">{row.vendor_sku ?? '–'}</td>
                <td>
                  {row.column}: {row.value}
                </td>
                <td>{row.reason}</td>
                <td>
                  <DecisionButtons
                    stone={row.vendor_sku ?? `row ${row.row}`}
                    busy={action.busy}
                    onRelease={() => void decide(releaseRow, row.uuid)}
                    onDismiss={() => void decide(dismissRow, row.uuid)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </ScrollArea>
  )
}

function DecisionButtons(props: {
  stone: string
  busy: boolean
  onRelease: () => void
  onDismiss: () => void
}) {
  const buttons = [
    ['Release', props.onRelease],
    ['Dismiss', props.onDismiss],
  ] as const
  return (
    <div class="row">
      {buttons.map(([label, onClick]) => (
        <button
          key={label}
          type="button"
          class="button is-small"
          disabled={props.busy}
          aria-label={`${label} ${props.stone}`}
          onClick={onClick}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function ConflictPanel({ conflict }: { conflict: Conflict }) {
  const name = [conflict.lab, conflict.cert_num].filter(Boolean).join(' ')
  return (
    <ScrollArea label={`Certificate ${name}`}>
      <div class="panel-head">
        <h3>{name}</h3>
        {conflict.contradicts.map((field) => (
          <span key={field} class="tag is-bad">
            {humanize(field)} differs
          </span>
        ))}
        <span class="tag">{plural(conflict.suppliers, 'supplier')}</span>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">SKU</th>
            <th scope="col">Supplier</th>
            <th scope="col">Supplier SKU</th>
            <th scope="col">Carat</th>
            <th scope="col">Shape</th>
            <th scope="col">Color</th>
            <th scope="col">Clarity</th>
            <th scope="col">Type</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {conflict.stones.map((stone) => (
            <tr key={stone.sku}>
              <td class="mono">{stone.sku}</td>
              <td>{stone.supplier}</td>
              <td class="mono">{stone.vendor_sku}</td>
              <td>{carats(stone.weight)}</td>
              <td>{humanize(stone.shape)}</td>
              <td>{stone.color ?? '–'}</td>
              <td>{stone.clarity ?? '–'}</td>
              <td>{humanize(stone.type)}</td>
              <td>{humanize(stone.state)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
