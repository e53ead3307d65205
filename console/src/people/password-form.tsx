import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { setPassword } from '../api/people.ts'
import { t } from '../language/language.ts'
import { ProblemNote } from '../parts/feedback.tsx'
import { TextField } from '../parts/fields.tsx'
import { showToast } from '../parts/toast.tsx'

/** Sets one's own password. After signing in with a link the one so far is not needed. */
export function PasswordForm() {
  const [password, setNew] = useState('')
  const [current, setCurrent] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await setPassword(password, current)
      setNew('')
      setCurrent('')
      showToast(t('Your password is set. Your other sessions have ended.'))
    })
  }
  return (
    <section class="panel stack" style={{ marginTop: '28px' }} aria-labelledby="own-password">
      <h2 id="own-password">{t('Your password')}</h2>
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t('New password, at least 12 characters')}
          type="password"
          autocomplete="new-password"
          name="password"
          problem={action.problem}
          required
          value={password}
          onInput={setNew}
        />
        <TextField
          label={t('Password so far, unless you signed in with a link')}
          type="password"
          autocomplete="current-password"
          name="current_password"
          problem={action.problem}
          value={current}
          onInput={setCurrent}
        />
        <ProblemNote problem={action.problem} />
        <button type="submit" class="button" disabled={action.busy || password === ''}>
          {t('Set password')}
        </button>
      </form>
    </section>
  )
}
