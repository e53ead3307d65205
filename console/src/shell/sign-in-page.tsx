import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { requestLink } from '../api/people.ts'
import { signIn } from '../api/session.ts'
import { HOMES, type Session, signedOutReason } from '../api/session-store.ts'
import { t, withElements } from '../language/language.ts'
import { LanguageSelect } from '../language/language-select.tsx'
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
    const side = (path: string) => /^\/(operator|supplier)\b/.exec(path)?.[1] ?? 'merchant'
    const isAllowed = returnTo && side(returnTo) === session.role
    go(isAllowed ? returnTo : HOMES[session.role], { replace: true })
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
      <h1>{t('Sign in to Pavilion')}</h1>
      {reason && <p class="note is-warn">{reason}</p>}
      <ProblemNote problem={action.problem} />
      <PasswordSignIn busy={action.busy} run={action.run} onDone={finish} />
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t('Your key')}
          type="password"
          autocomplete="off"
          placeholder="pav_live_…"
          required
          value={key}
          onInput={setKey}
        />
        <button type="submit" class="button is-main" disabled={action.busy || key.trim() === ''}>
          {action.busy && <Spinner />} {t('Sign in')}
        </button>
      </form>
      <p class="muted small">
        {t('Your key starts a session of up to twelve hours. The browser does not store it.')}{' '}
        {withElements('An operator can also create a one-time sign-in link with {command}.', {
          command: <span class="mono">pavilion console</span>,
        })}
      </p>
      <LanguageSelect />
    </div>
  )
}

/** With the e-mail address of a user: by password, or by a link that is mailed. */
function PasswordSignIn(props: {
  busy: boolean
  run: (work: () => Promise<void>) => Promise<void>
  onDone: (session: Session) => void
}) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [answer, setAnswer] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    void props.run(async () => props.onDone(await signIn({ email: email.trim(), password })))
  }
  const askForLink = () =>
    void props.run(async () => setAnswer(t((await requestLink(email.trim())).detail)))
  return (
    <form class="stack" onSubmit={submit}>
      <TextField
        label={t('E-mail address')}
        type="email"
        autocomplete="username"
        value={email}
        onInput={setEmail}
      />
      <TextField
        label={t('Password')}
        type="password"
        autocomplete="current-password"
        value={password}
        onInput={setPassword}
      />
      <button
        type="submit"
        class="button is-main"
        disabled={props.busy || email === '' || password === ''}
      >
        {t('Sign in with password')}
      </button>
      <button
        type="button"
        class="button is-quiet"
        disabled={props.busy || email === ''}
        onClick={askForLink}
      >
        {t('Mail me a link')}
      </button>
      <div role="status">{answer && <p class="note">{answer}</p>}</div>
    </form>
  )
}
