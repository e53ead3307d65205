import { useState } from 'preact/hooks'
import { ROLES } from '../../../../src/reference/roles.ts'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  changeMerchantUser,
  type InvitedMerchantUser,
  listMerchantUsers,
  type MerchantUser,
  type OperatorMerchant,
  removeMerchantUser,
} from '../../api/operator/merchants.ts'
import { t } from '../../language/language.ts'
import { dateTime, fromNow, humanize } from '../../lib/format.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import { MerchantHead } from './head.tsx'
import { InviteDialog } from './invite-dialog.tsx'

type Change = (work: () => Promise<unknown>) => void

/** The people of a merchant: invited, with another role, deactivated or removed. */
export function MerchantUsers({ merchant }: { merchant: OperatorMerchant }) {
  const { uuid } = merchant
  const reading = useRead(`users ${uuid}`, (signal) => listMerchantUsers(uuid, signal))
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<InvitedMerchantUser>()
  const action = useAction()
  const change: Change = (work) =>
    void action.run(async () => {
      await work()
      showToast(t('Saved.'))
      reading.reload()
    })
  const users = reading.value?.users
  return (
    <>
      <MerchantHead merchant={merchant} part="users">
        <button type="button" class="button is-main" onClick={() => setInviting(true)}>
          {t('Invite a user')}
        </button>
      </MerchantHead>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!users && !reading.problem && <Loading />}
      {users?.length === 0 && <Empty title={t('No users yet')} />}
      {users && users.length > 0 && <UserTable users={users} onChange={change} />}
      {isInviting && (
        <InviteDialog
          uuid={uuid}
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
          title={t('Invitation for {email}', { email: invited.email })}
          text={linkText(invited)}
          secret={invited.link}
          onClose={() => setInvited(undefined)}
        />
      )}
    </>
  )
}

function linkText({ mailed, link_expires_on }: InvitedMerchantUser): string {
  const date = dateTime(link_expires_on)
  return mailed
    ? t('The link was mailed. It signs in once, until {date}.', { date })
    : t('Send this link to the user. It signs in once, until {date}.', { date })
}

function UserTable({ users, onChange }: { users: readonly MerchantUser[]; onChange: Change }) {
  const roles = ROLES.merchant.map((role) => [role, humanize(role)] as const)
  return (
    <ScrollArea label={t('Users')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('User')}</th>
            <th scope="col">{t('Role')}</th>
            <th scope="col">{t('Last sign-in')}</th>
            <th scope="col">{t('State')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.uuid}>
              <td>
                <span lang="">{user.name}</span>
                <div class="muted small">{user.email}</div>
              </td>
              <td>
                <SelectField<MerchantUser['role']>
                  label={t('Role of {email}', { email: user.email })}
                  hideLabel
                  value={user.role}
                  options={roles}
                  onChange={(role) => onChange(() => changeMerchantUser(user.uuid, { role }))}
                />
              </td>
              <td>{fromNow(user.last_sign_in_on)}</td>
              <td>{user.active ? t('active') : t('deactivated')}</td>
              <td>
                <UserButtons user={user} onChange={onChange} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function UserButtons({ user, onChange }: { user: MerchantUser; onChange: Change }) {
  const { uuid, email, active } = user
  const deactivate = async () => {
    const title = t('Deactivate {email}?', { email })
    const text = t('It cannot sign in, and its sessions end at once.')
    if (active && !(await confirmed({ title, text, action: t('Deactivate'), isDanger: true }))) {
      return
    }
    onChange(() => changeMerchantUser(uuid, { active: !active }))
  }
  const remove = async () => {
    const title = t('Remove {email}?', { email })
    const text = t('It can no longer sign in, and its sessions end at once.')
    if (!(await confirmed({ title, text, action: t('Remove'), isDanger: true }))) return
    onChange(() => removeMerchantUser(uuid))
  }
  return (
    <div class="row">
      <button type="button" class="button is-small" onClick={() => void deactivate()}>
        {active ? t('Deactivate') : t('Activate')}
        <span class="visually-hidden"> {email}</span>
      </button>
      <button type="button" class="button is-small is-quiet" onClick={() => void remove()}>
        {t('Remove')}
        <span class="visually-hidden"> {email}</span>
      </button>
    </div>
  )
}
