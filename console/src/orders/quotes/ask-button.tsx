import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { asProblem } from '../../api/client.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { showToast } from '../../parts/toast.tsx'
import type { AskedLine } from './ask-dialog.tsx'

type DialogType = ComponentType<{ lines: readonly AskedLine[]; onClose: () => void }>

/** Opens the dialog that asks for a quote, whose code is loaded by the first click. */
export function AskQuoteButton(props: {
  lines: readonly AskedLine[]
  class: string
  label?: string
}) {
  const [Dialog, setDialog] = useState<{ type: DialogType }>()
  const open = () =>
    import('./ask-dialog.tsx').then(
      ({ AskQuoteDialog }) => setDialog({ type: AskQuoteDialog }),
      (error: unknown) => showToast(asProblem(error).message),
    )
  if (!mayDo('orders:write')) return null
  return (
    <>
      <button
        type="button"
        class={props.class}
        disabled={props.lines.length === 0}
        onClick={() => void open()}
      >
        {props.label ?? t('Ask for a quote')}
      </button>
      {Dialog && <Dialog.type lines={props.lines} onClose={() => setDialog(undefined)} />}
    </>
  )
}
