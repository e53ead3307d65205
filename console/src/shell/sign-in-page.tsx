import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { type Session, signIn } from '../api/session.ts'
import { signedOutReason } from '../api/session-store.ts'
import { currentLocation, go } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { ProblemNote, Spinner } from '../parts/feedback.tsx'
import { TextField } from '../parts/fields.tsx'
import { ShapePicture } from '../parts/shape-picture.tsx'

/** The way in: a one-time link carries its code behind the #; a key can be pasted. */
export function SignInPage({ onward }: { onward: string | undefined }) {
  const [key, setKey] = useState('')
  const action = useAction()
  const why = useStore(signedOutReason)
  const enter = (session: Session) => {
    const home = session.role === 'operator' ? '/operator' : '/search'
    const fits = onward && onward.startsWith('/operator') === (session.role === 'operator')
    go(fits ? onward : home, { replace: true })
  }
  // The code is used once, on arrival.
  useEffect(() => {
    const code = currentLocation().hash
    if (!code || currentLocation().path !== '/sign-in') return
    // The code leaves the address bar and the history before it is used.
    go('/sign-in', { replace: true })
    void action.run(async () => enter(await signIn({ code })))
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => enter(await signIn({ key: key.trim() })))
  }
  return (
    <div class="sign-in">
      <div class="sign-in-mark">
        <ShapePicture shape="round" />
      </div>
      <h1>Sign in to Pavilion</h1>
      {why && <p class="note is-warn">{why}</p>}
      <ProblemNote problem={action.problem} />
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
        <button type="submit" class="button is-main" disabled={action.busy || key.trim() === ''}>
          {action.busy && <Spinner />} Sign in
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
