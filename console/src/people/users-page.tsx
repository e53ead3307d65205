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

function rolesHere(): readonly (readonly [Role, string])[] {
  const side = session.get()?.role ?? 'merchant'
  return ROLES[side].map((role) => [role, role] as const)
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
        <h1>Users</h1>
        {reading.value && <span class="muted">{plural(reading.value.total, 'user')}</span>}
        <div class="page-tools">
          {mayWrite && (
            <button type="button" class="button is-main" onClick={() => setInviting(true)}>
              Invite a user
            </button>
          )}
        </div>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.total === 0 && <Empty title="No users yet" />}
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
      {invited && (
        <SecretDialog
          title={`Invitation for ${invited.email}`}
          text={
            (invited.mailed ? 'The link was mailed. ' : 'Send this link to the user. ') +
            `It signs in once, until ${dateTime(invited.link_expires_on)}.`
          }
          secret={invited.link}
          onClose={() => setInvited(undefined)}
        />
      )}
    </>
  )
}

function UserTable(props: {
  users: User[]
  mayWrite: boolean
  onChange: (work: () => Promise<unknown>, done: string) => void
}) {
  const { users, mayWrite, onChange } = props
  return (
    <ScrollArea label="Users">
      <table>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Role</th>
            <th scope="col">Last signed in</th>
            <th scope="col">State</th>
            {mayWrite && <th scope="col">Change</th>}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.uuid}>
              <td>
                {user.name}
                <div class="small muted">{user.email}</div>
              </td>
              <td>
                {mayWrite ? (
                  <SelectField
                    label={`Role of ${user.email}`}
                    hideLabel
                    value={user.role}
                    options={rolesHere()}
                    onChange={(role) =>
                      onChange(
                        () => changeUser(user.uuid, { role }),
                        `${user.email} has the role ${role}.`,
                      )
                    }
                  />
                ) : (
                  user.role
                )}
              </td>
              <td>{user.last_sign_in_on ? fromNow(user.last_sign_in_on) : 'never'}</td>
              <td>{user.active ? 'active' : 'deactivated'}</td>
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
  const ask = async (verb: string, text: string, next: () => void) => {
    const title = `${verb} ${email}?`
    if (await confirmed({ title, text, action: verb, isDanger: true })) next()
  }
  const turn = () =>
    onChange(
      () => changeUser(uuid, { active: !active }),
      `${email} is ${active ? 'deactivated' : 'active'}.`,
    )
  return (
    <>
      <button
        type="button"
        class="button is-small"
        aria-label={`${active ? 'Deactivate' : 'Activate'} ${email}`}
        onClick={() =>
          active
            ? void ask('Deactivate', 'It cannot sign in, and its sessions end at once.', turn)
            : turn()
        }
      >
        {active ? 'Deactivate' : 'Activate'}
      </button>{' '}
      <button
        type="button"
        class="button is-small is-quiet"
        aria-label={`Remove ${email}`}
        onClick={() =>
          void ask('Remove', 'It can no longer sign in, and its sessions end at once.', () =>
            onChange(() => removeUser(uuid), `${email} has been removed.`),
          )
        }
      >
        Remove
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
    <Dialog title="Invite a user" onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label="E-mail address"
          type="email"
          required
          name="email"
          problem={action.problem}
          value={email}
          onInput={setEmail}
        />
        <TextField label="Name" value={name} onInput={setName} />
        <SelectField label="Role" value={role} options={roles} onChange={setRole} />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            Cancel
          </button>
          <button type="submit" class="button is-main" disabled={action.busy || email === ''}>
            Invite
          </button>
        </div>
      </form>
    </Dialog>
  )
}
