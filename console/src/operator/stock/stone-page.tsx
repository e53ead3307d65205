import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { mayDo } from '../../api/session-store.ts'
import { changeStone, readStockStone, releaseHold, type StockStone } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { carats, dateTime, humanize } from '../../lib/format.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { StoneFacts } from './facts.tsx'
import { StoneHistory } from './history.tsx'
import { StoneOffers } from './offers.tsx'
import { NoteField } from './override-dialog.tsx'
import { StoneOverrides } from './overrides.tsx'
import { StateTag } from './state-tag.tsx'

/** One stone whole: facts, listings, what was set by hand, and its history. */
export function StockStonePage({ sku }: { sku: string }) {
  const reading = useRead(sku, (signal) => readStockStone(sku, signal))
  const stone = reading.value
  if (!stone) {
    if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
    return (
      <>
        <div class="page-head">
          <h1>{sku}</h1>
        </div>
        <Loading />
      </>
    )
  }
  return (
    <>
      <StoneHead stone={stone} onChanged={reading.reload} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      <div class="stack">
        <StoneOffers stone={stone} />
        <div class="columns">
          <div class="stack">
            <StoneFacts stone={stone} />
          </div>
          <div class="stack">
            <StoneOverrides stone={stone} onChanged={reading.reload} />
          </div>
        </div>
        <StoneHistory history={stone.history} />
      </div>
    </>
  )
}

interface HeadProps {
  stone: StockStone
  onChanged: () => void
}

function StoneHead({ stone, onChanged }: HeadProps) {
  const [isSwitching, setSwitching] = useState(false)
  const [isNoting, setNoting] = useState(false)
  return (
    <div class="page-head">
      <h1>{String(stone.sku)}</h1>
      <StateTag state={stone.state} />
      {stone.is_manual && <span class="tag is-warn">{t('overridden')}</span>}
      {mayDo('inventory') && (
        <div class="page-tools">
          <button type="button" class="button" onClick={() => setNoting(true)}>
            {t('Note')}
          </button>
          <button
            type="button"
            class={stone.enabled ? 'button is-danger' : 'button is-main'}
            onClick={() => setSwitching(true)}
          >
            {stone.enabled ? t('Disable') : t('Enable')}
          </button>
        </div>
      )}
      <p class="page-lead">
        {nameOf(stone)} · {stone.supplier} · <span class="mono">{stone.vendor_sku}</span>
      </p>
      {stone.note && <p class="page-lead">{t('Note: {note}', { note: stone.note })}</p>}
      <Hold stone={stone} onReleased={onChanged} />
      {isSwitching && (
        <SwitchDialog stone={stone} onClose={() => setSwitching(false)} onDone={onChanged} />
      )}
      {isNoting && <NoteDialog stone={stone} onClose={() => setNoting(false)} onDone={onChanged} />}
    </div>
  )
}

function nameOf({ weight, species, shape, color, clarity }: StockStone): string {
  const words = [species, shape].filter(Boolean).map((word) => humanize(String(word)))
  return [carats(Number(weight)), ...words, color, clarity].filter(Boolean).join(' ')
}

/** Who holds the stone until when; the operator can end it. */
function Hold({ stone, onReleased }: { stone: StockStone; onReleased: () => void }) {
  const action = useAction()
  const held = stone.offers.find(({ state }) => state === 'held')
  if (!held) return null
  const { merchant, expires_on } = (stone.hold ?? {}) as Record<string, string | undefined>
  const values = { merchant: merchant ?? '', time: dateTime(expires_on ?? null) }
  const release = () =>
    action.run(async () => {
      const title = t('End the hold on {sku}?', { sku: held.sku })
      const text = t('The merchant loses it at once, and anybody can buy the stone.')
      if (!(await confirmed({ title, text, action: t('End the hold'), isDanger: true }))) return
      await releaseHold(held.sku)
      showToast(t('The hold has ended.'))
      onReleased()
    })
  return (
    <div class="note is-warn">
      <div class="row">
        <span>
          {stone.hold
            ? t('Held by {merchant} until {time}.', values)
            : t('Held through the listing {sku}.', { sku: held.sku })}
        </span>
        {mayDo('inventory') && (
          <button
            type="button"
            class="button is-small"
            disabled={action.busy}
            onClick={() => void release()}
          >
            {t('End the hold')}
          </button>
        )}
      </div>
      <ProblemNote problem={action.problem} />
    </div>
  )
}

interface DialogProps {
  stone: StockStone
  onClose: () => void
  onDone: () => void
}

/** Takes a stone off sale, or puts it back, with the reason. */
function SwitchDialog({ stone, onClose, onDone }: DialogProps) {
  const { enabled } = stone
  const sku = String(stone.sku)
  const save = async (note: string | null) => {
    await changeStone(sku, { enabled: enabled ? false : null, note })
    showToast(enabled ? t('{sku} is disabled.', { sku }) : t('{sku} is enabled.', { sku }))
  }
  const title = enabled ? t('Disable {sku}?', { sku }) : t('Enable {sku}?', { sku })
  const text = enabled
    ? t('It is neither found nor sold, and a hold on it ends. Orders that have it keep it.')
    : t('It is found and sold again, if its feed still lists it.')
  return (
    <ReasonDialog
      {...{ stone, title, text, onClose, onDone, save }}
      action={enabled ? t('Disable') : t('Enable')}
      isDanger={enabled}
    />
  )
}

function NoteDialog({ stone, onClose, onDone }: DialogProps) {
  const save = async (note: string | null) => {
    await changeStone(String(stone.sku), { note })
    showToast(t('The note is saved.'))
  }
  const text = t('Only operators see it.')
  return (
    <ReasonDialog
      {...{ stone, text, onClose, onDone, save }}
      title={t('Note')}
      action={t('Save')}
    />
  )
}

function ReasonDialog(
  props: DialogProps & {
    title: string
    text: string
    action: string
    isDanger?: boolean
    save: (note: string | null) => Promise<void>
  },
) {
  const [note, setNote] = useState(props.stone.note ?? '')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await props.save(note.trim() || null)
      props.onClose()
      props.onDone()
    })
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <p>{props.text}</p>
        <NoteField note={note} onInput={setNote} />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Cancel')}
          </button>
          <button
            type="submit"
            class={props.isDanger ? 'button is-danger' : 'button is-main'}
            disabled={action.busy}
          >
            {props.action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
