import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  changeSupplierUser,
  type InvitedSupplierUser,
  inviteSupplierUser,
  listSupplierUsers,
  removeSupplierUser,
  type SupplierUser,
} from '../../api/operator/supplier-access.ts'
import type { Supplier } from '../../api/operator/suppliers.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { dateTime, fromNow } from '../../lib/format.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

const ROLES = [
  ['owner', t('Owner: everything of the supplier')],
  ['viewer', t('Viewer: reads')],
] as const
type Role = (typeof ROLES)[number][0]

type Change = (work: () => Promise<unknown>, done: string) => void

/** The people of a supplier who can sign in. */
export function SupplierUsers({ supplier: { uuid } }: { supplier: Supplier }) {
  const reading = useRead(uuid, (signal) => listSupplierUsers(uuid, signal))
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<InvitedSupplierUser>()
  const action = useAction()
  const change: Change = (work, done) =>
    void action.run(async () => {
      await work()
      showToast(done)
      reading.reload()
    })
  const users = reading.value?.users
  return (
    <section class="panel stack" aria-labelledby="users">
      <div class="panel-head">
        <h2 id="users">{t('Users')}</h2>
        {mayDo('users:write') && (
          <div class="panel-tools">
            <button type="button" class="button is-small" onClick={() => setInviting(true)}>
              {t('Invite a user')}
            </button>
          </div>
        )}
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!users && !reading.problem && <Loading rows={2} />}
      {users?.length === 0 && (
        <p class="muted">{t('Nobody yet. Invite an owner, who can invite the others.')}</p>
      )}
      {users && users.length > 0 && <UserTable users={users} onChange={change} />}
      {isInviting && (
        <InviteDialog
          supplierUuid={uuid}
          onClose={() => setInviting(false)}
          onDone={(user) => {
            setInviting(false)
            setInvited(user)
            reading.reload()
          }}
        />
      )}
      {invited && <Invitation invited={invited} onClose={() => setInvited(undefined)} />}
    </section>
  )
}

function Invitation(props: { invited: InvitedSupplierUser; onClose: () => void }) {
  const { email, mailed, link, link_expires_on } = props.invited
  const until = dateTime(link_expires_on)
  return (
    <SecretDialog
      title={t('Invitation for {email}', { email })}
      text={
        mailed
          ? t('The link was mailed. It signs in once, until {until}.', { until })
          : t('Send this link to the user. It signs in once, until {until}.', { until })
      }
      secret={link}
      onClose={props.onClose}
    />
  )
}

function UserTable({ users, onChange }: { users: SupplierUser[]; onChange: Change }) {
  return (
    <ScrollArea label={t('All users')} class="wide-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('User')}</th>
            <th scope="col">{t('Role')}</th>
            <th scope="col">{t('Last signed in')}</th>
            <th scope="col">{t('State')}</th>
            {mayDo('users:write') && <th scope="col">{t('Change')}</th>}
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.uuid}>
              <td>
                <span lang="">{user.name}</span>
                <div class="small muted">{user.email}</div>
              </td>
              <td>{user.role === 'owner' ? t('Owner') : t('Viewer')}</td>
              <td>{fromNow(user.last_sign_in_on)}</td>
              <td>{user.active ? t('active') : t('deactivated')}</td>
              {mayDo('users:write') && (
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

function UserButtons({ user, onChange }: { user: SupplierUser; onChange: Change }) {
  const { uuid, email, active } = user
  const role = user.role === 'owner' ? 'viewer' : 'owner'
  const turn = async () => {
    if (active && !(await isMeant(t('Deactivate {email}?', { email }), t('Deactivate')))) return
    const done = active
      ? t('{email} is deactivated.', { email })
      : t('{email} is active.', { email })
    onChange(() => changeSupplierUser(uuid, { active: !active }), done)
  }
  const remove = async () => {
    if (!(await isMeant(t('Remove {email}?', { email }), t('Remove')))) return
    onChange(() => removeSupplierUser(uuid), t('{email} has been removed.', { email }))
  }
  const other = role === 'owner' ? t('Owner') : t('Viewer')
  const setRole = () =>
    onChange(
      () => changeSupplierUser(uuid, { role }),
      t('{email} has the role {role}.', { email, role: other }),
    )
  const button = (label: string, name: string, work: () => void) => (
    <button type="button" class="button is-small is-quiet" aria-label={name} onClick={work}>
      {label}
    </button>
  )
  return (
    <span class="row">
      {role === 'owner'
        ? button(t('Make owner'), t('Make owner: {email}', { email }), setRole)
        : button(t('Make viewer'), t('Make viewer: {email}', { email }), setRole)}
      {active
        ? button(t('Deactivate'), t('Deactivate {email}', { email }), () => void turn())
        : button(t('Activate'), t('Activate {email}', { email }), () => void turn())}
      {button(t('Remove'), t('Remove {email}', { email }), () => void remove())}
    </span>
  )
}

function isMeant(title: string, action: string): Promise<boolean> {
  const text = t('The user can no longer sign in, and open sessions end at once.')
  return confirmed({ title, text, action, isDanger: true })
}

function InviteDialog(props: {
  supplierUuid: string
  onClose: () => void
  onDone: (user: InvitedSupplierUser) => void
}) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('owner')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const named = name.trim() === '' ? {} : { name: name.trim() }
      const invitation = { email: email.trim(), role, ...named }
      props.onDone(await inviteSupplierUser(props.supplierUuid, invitation))
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
        <SelectField<Role> label={t('Role')} value={role} options={ROLES} onChange={setRole} />
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
