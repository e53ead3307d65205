import { useState } from 'preact/hooks'
import { asProblem } from '../api/client.ts'
import type { Gem } from '../api/gems.ts'
import { listHolds, placeHold, releaseHold } from '../api/holds.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { fromNow, plural } from '../lib/format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { showToast } from '../parts/toast.tsx'
import { refreshOwnHolds } from './own-holds.ts'

const DURATIONS = [
  ['60', 'One hour'],
  ['240', 'Four hours'],
  ['1440', 'One day'],
  ['2880', 'Two days'],
] as const

/** Places a hold on a stone, or releases the merchant's own. */
export function HoldButton({ gem, onDone }: { gem: Gem; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const holds = useRead(`${gem.sku} ${gem.on_hold}`, (signal) => listHolds(signal))
  const own = holds.value?.holds.find(({ sku }) => sku === gem.sku)
  const action = useAction()
  if (own) {
    const release = () =>
      action.run(async () => {
        await releaseHold(own.uuid)
        void refreshOwnHolds()
        showToast('The hold has been released.')
        holds.reload()
        onDone()
      })
    return (
      <>
        <button type="button" class="button" disabled={action.busy} onClick={() => void release()}>
          Release hold (ends {fromNow(own.expires_on)})
        </button>
        <ProblemNote problem={action.problem} />
      </>
    )
  }
  if (!gem.can_hold) return null
  return (
    <>
      <button type="button" class="button" disabled={gem.on_hold} onClick={() => setOpen(true)}>
        {gem.on_hold ? 'Held by another buyer' : 'Hold'}
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
      title={gems.length === 1 ? 'Hold this stone' : `Hold ${gems.length} stones`}
      onClose={props.onClose}
    >
      <form class="stack" onSubmit={submit}>
        <p class="muted">Until the hold ends, nobody else can order or hold what you hold.</p>
        <SelectField label="Duration" value={minutes} options={DURATIONS} onChange={setMinutes} />
        <ProblemNote problem={action.problem} />
        {refused.length > 0 && (
          <div class="note is-bad" role="alert">
            <p>{plural(refused.length, 'stone')} could not be held:</p>
            <ul class="small">
              {refused.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {refused.length > 0 ? 'Close' : 'Cancel'}
          </button>
          {refused.length === 0 && (
            <button type="submit" class="button is-main" disabled={action.busy}>
              Place hold
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
      reasons.push(`${sku}: ${asProblem(error).message}`)
    }
  }
  return reasons
}

function heldText(held: number): string {
  return held === 1 ? 'The stone is on hold for you.' : `${held} stones are on hold for you.`
}
