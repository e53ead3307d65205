import { useEffect, useState } from 'preact/hooks'
import { useDoing } from '../api/hooks.ts'
import { type Session, signIn } from '../api/session.ts'
import { farewell } from '../api/session-store.ts'
import { currentPlace, go } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { TextField } from '../parts/fields.tsx'
import { ProblemNote, Spinner } from '../parts/notes.tsx'
import { ShapePicture } from '../parts/shape-picture.tsx'

/** The way in: a one-time link carries its code behind the #; a key can be pasted. */
export function SignInPage({ onward }: { onward: string | undefined }) {
  const [key, setKey] = useState('')
  const doing = useDoing()
  const why = useStore(farewell)
  const enter = (session: Session) => {
    const home = session.role === 'operator' ? '/operator' : '/search'
    const fits = onward && onward.startsWith('/operator') === (session.role === 'operator')
    go(fits ? onward : home, { replace: true })
  }
  // The code is used once, on arrival.
  useEffect(() => {
    const code = currentPlace().hash
    if (!code || currentPlace().path !== '/sign-in') return
    // The code leaves the address bar and the history before it is used.
    go('/sign-in', { replace: true })
    void doing.run(async () => enter(await signIn({ code })))
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    void doing.run(async () => enter(await signIn({ key: key.trim() })))
  }
  return (
    <div class="sign-in">
      <div class="sign-in-mark">
        <ShapePicture shape="round" />
      </div>
      <h1>Sign in to Pavilion</h1>
      {why && <p class="note is-warn">{why}</p>}
      <ProblemNote problem={doing.problem} />
      <form class="stack" onSubmit={submit}>
        <TextField
          label="Your key"
          type="password"
          autocomplete="off"
          placeholder="pav_live_…"
          required
          value={key}
          onInput={setKey}
        />
        <button type="submit" class="button is-main" disabled={doing.busy || key.trim() === ''}>
          {doing.busy && <Spinner />} Sign in
        </button>
      </form>
      <p class="muted small">
        Your key opens a session of at most twelve hours. The key itself is not kept in the browser.
        An operator can also print a link that works once:{' '}
        <span class="mono">pavilion console</span>
      </p>
    </div>
  )
}
