import { useState } from 'preact/hooks'
import { asProblem } from '../api/client.ts'
import type { Gem } from '../api/gems.ts'
import { listHolds, placeHold, releaseHold } from '../api/holds.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { problemText } from '../language/problem-text.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { fromNow, plural } from '../lib/format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { showToast } from '../parts/toast.tsx'
import { refreshOwnHolds } from './own-holds.ts'

const DURATIONS = [
  ['60', t('One hour')],
  ['240', t('Four hours')],
  ['1440', t('One day')],
  ['2880', t('Two days')],
] as const

/** Places a hold on a stone, or releases the merchant's own. */
export function HoldButton({ gem, onDone }: { gem: Gem; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const holds = useRead(`${gem.sku} ${gem.on_hold}`, (signal) => listHolds(signal))
  const own = holds.value?.holds.find(({ sku }) => sku === gem.sku)
  const action = useAction()
  if (!mayDo('inventory')) return null
  if (own) {
    const release = () =>
      action.run(async () => {
        await releaseHold(own.uuid)
        void refreshOwnHolds()
        showToast(t('The hold has been released.'))
        holds.reload()
        onDone()
      })
    return (
      <>
        <button type="button" class="button" disabled={action.busy} onClick={() => void release()}>
          {t('Release hold (ends {when})', { when: fromNow(own.expires_on) })}
        </button>
        <ProblemNote problem={action.problem} />
      </>
    )
  }
  if (!gem.can_hold || isCustomerView) return null
  return (
    <>
      <button type="button" class="button" disabled={gem.on_hold} onClick={() => setOpen(true)}>
        {gem.on_hold ? t('Held by another buyer') : t('Hold')}
      </button>
      {isOpen && (
        <HoldDialog
          gems={[gem]}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            holds.reload()
            onDone()
          }}
        />
      )}
    </>
  )
}

/** Holds stones one by one, and names those that cannot be held, with the reason. */
export function HoldDialog(props: { gems: Gem[]; onClose: () => void; onDone: () => void }) {
  const { gems } = props
  const [refused, setRefused] = useState<string[]>([])
  const [minutes, setMinutes] = useState<(typeof DURATIONS)[number][0]>('60')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      if (gems.length === 1) await placeHold({ sku: gems[0].sku, minutes: Number(minutes) })
      const reasons = gems.length > 1 ? await holdAll(gems, Number(minutes)) : []
      const held = gems.length - reasons.length
      void refreshOwnHolds()
      if (held > 0) showToast(heldText(held))
      if (reasons.length === 0) props.onDone()
      else setRefused(reasons)
    })
  }
  return (
    <Dialog
      title={gems.length === 1 ? t('Hold this stone') : t('Hold {n} stones', { n: gems.length })}
      onClose={props.onClose}
    >
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('Until the hold ends, nobody else can order or hold what you hold.')}
        </p>
        <SelectField
          label={t('Duration')}
          value={minutes}
          options={DURATIONS}
          onChange={setMinutes}
        />
        <ProblemNote problem={action.problem} />
        {refused.length > 0 && (
          <div class="note is-bad" role="alert">
            <p>{t('Not held: {stones}', { stones: plural(refused.length, 'stone') })}</p>
            <ul class="small">
              {refused.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {refused.length > 0 ? t('Close') : t('Cancel')}
          </button>
          {refused.length === 0 && (
            <button type="submit" class="button is-main" disabled={action.busy}>
              {t('Place hold')}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** Returns why stones could not be held; the others are. */
async function holdAll(gems: readonly Gem[], minutes: number): Promise<string[]> {
  const reasons: string[] = []
  for (const { sku } of gems) {
    try {
      await placeHold({ sku, minutes })
    } catch (error) {
      reasons.push(`${sku}: ${problemText(asProblem(error))}`)
    }
  }
  return reasons
}

function heldText(held: number): string {
  return held === 1
    ? t('The stone is on hold for you.')
    : t('{n} stones are on hold for you.', { n: held })
}
