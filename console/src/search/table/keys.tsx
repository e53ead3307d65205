import { useEffect, useRef } from 'preact/hooks'
import { isTyping } from '../../find/search-box.tsx'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'

const KEYS = [
  ['j', t('Next stone')],
  ['k', t('Previous stone')],
  ['x', t('Select the stone, or take it out; with Shift everything since the last one')],
  ['Enter', t('Open the stone')],
  ['b', t('Put the selected stones, or this one, into the basket')],
  ['h', t('Hold the selected stones, or this one')],
  ['/', t('Search')],
  [t('Ctrl K'), t('All commands')],
  ['?', t('These keys')],
] as const

/** What each key of the table does; the names are the keys themselves. */
export type KeyActions = Record<'j' | 'k' | 'x' | 'X' | 'h' | 'b' | '?', () => void>

/** Listens to the keys of the table, unless somebody types or a dialog is open. */
export function useTableKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('dialog[open]') || !Object.hasOwn(latest.current, event.key))
        return
      event.preventDefault()
      latest.current[event.key as keyof KeyActions]()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Keys of the table')} onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, text]) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
      <div class="dialog-foot">
        <button type="button" class="button is-main" onClick={onClose}>
          {t('Done')}
        </button>
      </div>
    </Dialog>
  )
}
