import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { useLocation } from '../lib/router.ts'
import { createStore, useStore } from '../lib/store.ts'
import { Dialog } from './dialog.tsx'

interface Question {
  title: string
  /** What will happen, in a sentence. */
  text: string
  /** The verb on the button, such as "Revoke". */
  action: string
  /** Whether it takes something away. */
  isDanger?: boolean
}

const asked = createStore<(Question & { answer: (yes: boolean) => void }) | undefined>(undefined)

/** Asks before something that cannot be taken back. Resolves to whether to do it. */
export function confirmed(question: Question): Promise<boolean> {
  asked.get()?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      asked.set(undefined)
      resolve(yes)
    }
    asked.set({ ...question, answer })
  })
}

/** The question that is open; it has its place in the frame of every page. */
export function Confirmation() {
  const question = useStore(asked)
  const { path } = useLocation()
  const shownAt = useRef(path)
  // The back button answers no: the question is about the page that it leaves.
  useEffect(() => {
    if (shownAt.current !== path) asked.get()?.answer(false)
    shownAt.current = path
  }, [path])
  if (!question) return null
  const { title, text, action, isDanger, answer } = question
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <p>{text}</p>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={() => answer(false)}>
          {t('Keep as it is')}
        </button>
        <button
          type="button"
          class={isDanger ? 'button is-danger' : 'button is-main'}
          onClick={() => answer(true)}
        >
          {action}
        </button>
      </div>
    </Dialog>
  )
}
