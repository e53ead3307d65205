import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { signIn } from '../api/session.ts'
import { type Session, signedOutReason } from '../api/session-store.ts'
import { currentLocation, go } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { ProblemNote, Spinner } from '../parts/feedback.tsx'
import { TextField } from '../parts/fields.tsx'
import { ShapePicture } from '../parts/shape-picture.tsx'

/** Signs in with the code of a one-time link, which follows the #, or with a pasted key. */
export function SignInPage({ returnTo }: { returnTo: string | undefined }) {
  const [key, setKey] = useState('')
  const action = useAction()
  const reason = useStore(signedOutReason)
  const finish = (session: Session) => {
    const home = session.role === 'operator' ? '/operator' : '/search'
    const isAllowed = returnTo && returnTo.startsWith('/operator') === (session.role === 'operator')
    go(isAllowed ? returnTo : home, { replace: true })
  }
  // The code works once, so it is used once: when the page opens.
  useEffect(() => {
    const code = currentLocation().hash
    if (!code || currentLocation().path !== '/sign-in') return
    // It leaves the address bar and the history before it is sent.
    go('/sign-in', { replace: true })
    void action.run(async () => finish(await signIn({ code })))
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => finish(await signIn({ key: key.trim() })))
  }
  return (
    <div class="sign-in">
      <div class="sign-in-mark">
        <ShapePicture shape="round" />
      </div>
      <h1>Sign in to Pavilion</h1>
      {reason && <p class="note is-warn">{reason}</p>}
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
        Your key starts a session of up to twelve hours. The browser does not store the key. An
        operator can also create a one-time sign-in link with{' '}
        <span class="mono">pavilion console</span>.
      </p>
    </div>
  )
}
