import { useAction, useRead } from '../api/hooks.ts'
import { type Conflict, decideConflict, listConflicts } from '../api/stock.ts'
import { t } from '../language/language.ts'
import { fieldLabel } from '../lib/field-name.ts'
import { carats, humanize, plural } from '../lib/format.ts'
import { useLocation, useOffset } from '../lib/router.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Pager } from '../parts/pager.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { showToast } from '../parts/toast.tsx'
import { ReviewHead } from './stock/review-tabs.tsx'
import { StateTag } from './stock/state-tag.tsx'

const LIMIT = 25

/** Certificates whose listings contradict each other, until the operator decides. */
export function ConflictsPage() {
  const offset = useOffset()
  const supplier = useLocation().params.get('supplier') || undefined
  const query = { supplier, limit: LIMIT, offset }
  const reading = useRead(JSON.stringify(query), (signal) => listConflicts(query, signal))
  const total = reading.value?.total ?? 0
  return (
    <>
      <ReviewHead
        lead={t(
          'Listings of one certificate that contradict each other; sold as one until you decide.',
        )}
      />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && <Empty title={t('No conflicts')} />}
      <div class="stack">
        {total > 0 && <p class="muted">{plural(total, 'certificate')}</p>}
        {reading.value?.conflicts.map((conflict) => (
          <ConflictPanel
            key={`${conflict.lab} ${conflict.cert_num}`}
            conflict={conflict}
            onDecided={reading.reload}
          />
        ))}
      </div>
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function ConflictPanel({ conflict, onDecided }: { conflict: Conflict; onDecided: () => void }) {
  const name = [conflict.lab, conflict.cert_num].filter(Boolean).join(' ')
  const action = useAction()
  const decide = (kept?: string) =>
    action.run(async () => {
      if (!(await confirmed(questionOf(name, kept)))) return
      const decision = kept
        ? { decision: 'keep' as const, sku: kept }
        : { decision: 'apart' as const }
      const { disabled } = await decideConflict(conflict, decision)
      const others = disabled.join(', ')
      showToast(
        kept
          ? t('{sku} is kept. Disabled: {others}', { sku: kept, others: others || '–' })
          : t('The listings of {name} are sold apart.', { name }),
      )
      onDecided()
    })
  return (
    <ScrollArea label={t('Certificate {name}', { name })}>
      <div class="panel-head">
        <h2>{name}</h2>
        {conflict.contradicts.map((field) => (
          <span key={field} class="tag is-bad">
            {t('{field} differs', { field: fieldLabel(field) })}
          </span>
        ))}
        <span class="tag">{plural(conflict.suppliers, 'supplier')}</span>
        <div class="panel-tools">
          <button
            type="button"
            class="button is-small"
            disabled={action.busy}
            aria-label={t('They are different stones: {name}', { name })}
            onClick={() => void decide()}
          >
            {t('They are different stones')}
          </button>
        </div>
      </div>
      <ProblemNote problem={action.problem} />
      <ConflictTable conflict={conflict} busy={action.busy} onKeep={(sku) => void decide(sku)} />
    </ScrollArea>
  )
}

function questionOf(name: string, kept: string | undefined) {
  if (kept) {
    return {
      title: t('Keep {sku} for {name}?', { sku: kept, name }),
      text: t(
        'The others are disabled, and holds on them end. They can be enabled in the stock again.',
      ),
      action: t('Keep this one'),
      isDanger: true,
    }
  }
  return {
    title: t('Sell the listings of {name} apart?', { name }),
    text: t('Each is sold by itself, also with later files, until you keep one of them.'),
    action: t('Sell apart'),
  }
}

function ConflictTable(props: {
  conflict: Conflict
  busy: boolean
  onKeep: (sku: string) => void
}) {
  const { contradicts, stones } = props.conflict
  const cell = (field: string, text: string) => (
    <td class={contradicts.includes(field) ? 'is-differing' : undefined}>{text}</td>
  )
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('SKU')}</th>
          <th scope="col">{t('Supplier')}</th>
          <th scope="col">{t('Stock number')}</th>
          {['weight', 'shape', 'color', 'clarity', 'type'].map((field) => (
            <th key={field} scope="col">
              {fieldLabel(field)}
            </th>
          ))}
          <th scope="col">{t('State')}</th>
          <th scope="col">{t('Decision')}</th>
        </tr>
      </thead>
      <tbody>
        {stones.map((stone) => (
          <tr key={stone.sku}>
            <td>
              <a class="mono number" href={`/operator/stock/${stone.sku}`}>
                {stone.sku}
              </a>
            </td>
            <td>{stone.supplier}</td>
            <td class="mono">{stone.vendor_sku}</td>
            {cell('weight', carats(stone.weight))}
            {cell('shape', humanize(stone.shape))}
            {cell('color', stone.color ?? '–')}
            {cell('clarity', stone.clarity ?? '–')}
            {cell('type', humanize(stone.type))}
            <td>
              <StateTag state={stone.state} />
            </td>
            <td>
              <button
                type="button"
                class="button is-small"
                disabled={props.busy}
                aria-label={t('Keep this one: {sku}', { sku: stone.sku })}
                onClick={() => props.onKeep(stone.sku)}
              >
                {t('Keep this one')}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
