import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import type { InvitedUser, User, UserBook } from '../api/people.ts'
import { t } from '../language/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { ROLE_TEXTS } from './role-texts.ts'

/** Invites somebody to work for one side of the market. */
export function InviteDialog(props: {
  book: UserBook
  firstRole: User['role']
  onClose: () => void
  onDone: (user: InvitedUser) => void
}) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState(props.firstRole)
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const named = name.trim() === '' ? {} : { name: name.trim() }
      props.onDone(await props.book.invite({ email: email.trim(), role, ...named }))
    })
  }
  return (
    <Dialog title={t('Invite a user')} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t('E-mail address')}
          type="email"
          required
          name="email"
          problem={action.problem}
          value={email}
          onInput={setEmail}
        />
        <TextField label={t('Name')} value={name} onInput={setName} />
        <SelectField
          label={t('Role')}
          value={role}
          options={props.book.roles.map((each) => [each, ROLE_TEXTS[each]] as const)}
          onChange={setRole}
        />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy || email === ''}>
            {t('Invite')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
