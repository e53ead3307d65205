import { useState } from 'preact/hooks'
import { ROLES } from '../../../src/reference/roles.ts'
import { useAction, useRead } from '../api/hooks.ts'
import {
  changeUser,
  type InvitedUser,
  inviteUser,
  listUsers,
  removeUser,
  type User,
} from '../api/people.ts'
import { session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { dateTime, fromNow, plural } from '../lib/format.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { showToast } from '../parts/toast.tsx'
import { PasswordForm } from './password-form.tsx'

type Role = User['role']

const ROLE_TEXTS: Record<Role, string> = {
  owner: t('Owner'),
  buyer: t('Buyer'),
  viewer: t('Viewer'),
  admin: t('Administrator'),
  sales: t('Sales'),
  stock: t('Stock'),
}

function rolesHere(): readonly (readonly [Role, string])[] {
  const side = session.get()?.role ?? 'merchant'
  return ROLES[side].map((role) => [role, ROLE_TEXTS[role]] as const)
}

/** The people of the side that is signed in, and one's own password. */
export function UsersPage() {
  const reading = useRead('users', (signal) => listUsers(signal))
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<InvitedUser>()
  const mayWrite = session.get()?.scopes.includes('users:write') ?? false
  const action = useAction()
  const change = (work: () => Promise<unknown>, done: string) =>
    void action.run(async () => {
      await work()
      showToast(done)
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>{t('Users')}</h1>
        {reading.value && <span class="muted">{plural(reading.value.total, 'user')}</span>}
        <div class="page-tools">
          {mayWrite && (
            <button type="button" class="button is-main" onClick={() => setInviting(true)}>
              {t('Invite a user')}
            </button>
          )}
        </div>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <Empty title={t('No users yet')} />}
      {reading.value && reading.value.total > 0 && (
        <UserTable users={reading.value.users} mayWrite={mayWrite} onChange={change} />
      )}
      {session.get()?.user && <PasswordForm />}
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onDone={(user) => {
            setInviting(false)
            setInvited(user)
            reading.reload()
          }}
        />
      )}
      {invited && <Invitation user={invited} onClose={() => setInvited(undefined)} />}
    </>
  )
}

function Invitation({ user, onClose }: { user: InvitedUser; onClose: () => void }) {
  const { email, mailed, link } = user
  const until = dateTime(user.link_expires_on)
  return (
    <SecretDialog
      title={t('Invitation for {email}', { email })}
      text={
        mailed
          ? t('The link was mailed. It signs in once, until {until}.', { until })
          : t('Send this link to the user. It signs in once, until {until}.', { until })
      }
      secret={link}
      onClose={onClose}
    />
  )
}

function UserTable(props: {
  users: User[]
  mayWrite: boolean
  onChange: (work: () => Promise<unknown>, done: string) => void
}) {
  const { users, mayWrite, onChange } = props
  return (
    <ScrollArea label={t('Users')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('User')}</th>
            <th scope="col">{t('Role')}</th>
            <th scope="col">{t('Last signed in')}</th>
            <th scope="col">{t('State')}</th>
            {mayWrite && <th scope="col">{t('Change')}</th>}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.uuid}>
              <td>
                <span lang="und">{user.name}</span>
                <div class="small muted">{user.email}</div>
              </td>
              <td>
                {mayWrite ? (
                  <SelectField
                    label={t('Role of {email}', { email: user.email })}
                    hideLabel
                    value={user.role}
                    options={rolesHere()}
                    onChange={(role) =>
                      onChange(
                        () => changeUser(user.uuid, { role }),
                        t('{email} has the role {role}.', {
                          email: user.email,
                          role: ROLE_TEXTS[role],
                        }),
                      )
                    }
                  />
                ) : (
                  ROLE_TEXTS[user.role]
                )}
              </td>
              <td>{fromNow(user.last_sign_in_on)}</td>
              <td>{user.active ? t('active') : t('deactivated')}</td>
              {mayWrite && (
                <td>
                  <UserButtons user={user} onChange={onChange} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function UserButtons(props: {
  user: User
  onChange: (work: () => Promise<unknown>, done: string) => void
}) {
  const { user, onChange } = props
  const { uuid, email, active } = user
  const ask = async (title: string, action: string, next: () => void) => {
    const text = t('The user can no longer sign in, and open sessions end at once.')
    if (await confirmed({ title, text, action, isDanger: true })) next()
  }
  const turn = () =>
    onChange(
      () => changeUser(uuid, { active: !active }),
      active ? t('{email} is deactivated.', { email }) : t('{email} is active.', { email }),
    )
  const deactivate = () => ask(t('Deactivate {email}?', { email }), t('Deactivate'), turn)
  const remove = () =>
    ask(t('Remove {email}?', { email }), t('Remove'), () =>
      onChange(() => removeUser(uuid), t('{email} has been removed.', { email })),
    )
  return (
    <>
      <button
        type="button"
        class="button is-small"
        aria-label={active ? t('Deactivate {email}', { email }) : t('Activate {email}', { email })}
        onClick={() => (active ? void deactivate() : turn())}
      >
        {active ? t('Deactivate') : t('Activate')}
      </button>{' '}
      <button
        type="button"
        class="button is-small is-quiet"
        aria-label={t('Remove {email}', { email })}
        onClick={() => void remove()}
      >
        {t('Remove')}
      </button>
    </>
  )
}

function InviteDialog(props: { onClose: () => void; onDone: (user: InvitedUser) => void }) {
  const roles = rolesHere()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>(roles[roles.length - 1][0])
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const named = name.trim() === '' ? {} : { name: name.trim() }
      props.onDone(await inviteUser({ email: email.trim(), role, ...named }))
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
        <SelectField label={t('Role')} value={role} options={roles} onChange={setRole} />
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
