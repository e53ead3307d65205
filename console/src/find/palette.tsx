import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Session } from '../api/session-store.ts'
import { t, tIn } from '../language/language.ts'
import { useStore } from '../lib/store.ts'
import { type Command, commandsFor, type Group, matchCommands } from './commands.ts'
import { pageActions } from './page-actions.ts'
import { recentSearches } from './recent-store.ts'

/** The command palette: Ctrl-K or Cmd-K opens it on every page. */
export function Palette({ session }: { session: Session }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.shiftKey || event.altKey) return
      event.preventDefault()
      // A dialog asks something first; the palette does not go over it.
      setOpen((before) => !before && !document.querySelector('dialog[open]'))
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])
  return isOpen ? <OpenPalette session={session} onClose={() => setOpen(false)} /> : null
}

function OpenPalette({ session, onClose }: { session: Session; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const groups = matchCommands(
    commandsFor(session, text, useStore(recentSearches), useStore(pageActions)),
    text,
  )
  const commands = groups.flatMap((group) => group.commands)
  const current = Math.min(active, commands.length - 1)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const run = (command: Command | undefined) => {
    if (!command) return
    dialog.current?.close()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    if (Object.hasOwn(steps, event.key) && commands.length > 0) {
      event.preventDefault()
      setActive((current + steps[event.key] + commands.length) % commands.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(commands[current])
    }
  }
  return (
    <dialog ref={dialog} class="palette" aria-label={t('Commands')} onClose={onClose}>
      <input
        class="palette-input"
        role="combobox"
        aria-label={t('Go to a page, search, or do something')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={commands.length > 0 ? `${id}-${current}` : undefined}
        aria-autocomplete="list"
        placeholder={t('Go to a page, search, or do something')}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={press}
      />
      <CommandList id={id} groups={groups} current={current} onRun={run} />
      <p class="palette-foot muted small">
        <kbd>↑</kbd> <kbd>↓</kbd> {t('choose')} <kbd>Enter</kbd> {tIn('palette', 'go')}{' '}
        <kbd>Esc</kbd> {tIn('palette', 'close')}
      </p>
    </dialog>
  )
}

function CommandList(props: {
  id: string
  groups: Group[]
  current: number
  onRun: (command: Command) => void
}) {
  const { id, groups, current, onRun } = props
  let index = 0
  return (
    <div class="palette-list" role="listbox" id={`${id}-list`} aria-label={t('Commands')}>
      {groups.map(({ name, commands }) => (
        <div key={name} role="group" aria-label={name}>
          <p class="palette-group" aria-hidden="true">
            {name}
          </p>
          {commands.map((command) => {
            const at = index++
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
              <div
                key={command.id}
                id={`${id}-${at}`}
                class="palette-option"
                role="option"
                tabIndex={-1}
                aria-selected={at === current}
                onClick={() => onRun(command)}
              >
                <span>{command.label}</span>
                {command.key && <kbd>{command.key}</kbd>}
              </div>
            )
          })}
        </div>
      ))}
    </div>
  )
}
