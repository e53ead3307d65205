import { useState } from 'preact/hooks'
import type { Gem } from '../api/gems.ts'
import { listHolds, placeHold, releaseHold } from '../api/holds.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { fromNow } from '../lib/format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { showToast } from '../parts/toast.tsx'

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
          gem={gem}
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

function HoldDialog(props: { gem: Gem; onClose: () => void; onDone: () => void }) {
  const [minutes, setMinutes] = useState<(typeof DURATIONS)[number][0]>('60')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await placeHold({ sku: props.gem.sku, minutes: Number(minutes) })
      showToast('The stone is on hold for you.')
      props.onDone()
    })
  }
  return (
    <Dialog title="Hold this stone" onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">Until the hold ends, nobody else can order or hold this stone.</p>
        <SelectField label="Duration" value={minutes} options={DURATIONS} onChange={setMinutes} />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            Cancel
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            Place hold
          </button>
        </div>
      </form>
    </Dialog>
  )
}
