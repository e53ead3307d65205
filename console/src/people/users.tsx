import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import type { InvitedUser, User, UserBook } from '../api/people.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { dateTime, fromNow } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { SelectAll, SelectRow } from '../parts/table/selection.tsx'
import { SortHead } from '../parts/table/sort.tsx'
import { ListNotes, ListTools, useWholeList, type WholeList } from '../parts/table/whole-list.tsx'
import { showToast } from '../parts/toast.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { ROLE_TEXTS } from './role-texts.ts'

type Change = (work: () => Promise<unknown>, done: string) => void

/** The people of one side: invited, with another role, deactivated or removed. */
export function Users(props: {
  book: UserBook
  /** Of somebody who is invited, unless another one is chosen. */
  firstRole: User['role']
  /** The head around the button, with how many users there are. */
  head: (invite: (() => void) | undefined, total: number | undefined) => ComponentChildren
  empty: ComponentChildren
  /** Of the table; a panel unless given. */
  tableClass?: string
}) {
  const { book } = props
  const reading = useRead(`users ${book.id}`, (signal) => book.list(signal))
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState<InvitedUser>()
  const action = useAction()
  const change: Change = (work, done) =>
    void action.run(async () => {
      await work()
      showToast(done)
      reading.reload()
    })
  const users = reading.value?.users
  const list = useWholeList(users, LIST)
  return (
    <>
      {props.head(mayDo('users:write') ? () => setInviting(true) : undefined, users?.length)}
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!users && !reading.problem && <Loading rows={3} />}
      {users?.length === 0 && props.empty}
      <div class="row list-tools">
        <ListTools list={list} name={t('users.csv')} />
      </div>
      <ListNotes list={list} />
      {list.rows.length > 0 && (
        <UserTable list={list} book={book} class={props.tableClass} onChange={change} />
      )}
      {isInviting && (
        <InviteDialog
          book={book}
          firstRole={props.firstRole}
          onClose={() => setInviting(false)}
          onDone={(user) => {
            setInviting(false)
            setInvited(user)
            reading.reload()
          }}
        />
      )}
      {invited && <InvitationLink user={invited} onClose={() => setInvited(undefined)} />}
    </>
  )
}

function InvitationLink({ user, onClose }: { user: InvitedUser; onClose: () => void }) {
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

const VALUES = {
  user: ({ name, email }: User) => name || email,
  role: ({ role }: User) => ROLE_TEXTS[role],
  signed_in: ({ last_sign_in_on }: User) => last_sign_in_on,
  state: ({ active }: User) => active,
}
const COLUMNS: readonly (readonly [string, (user: User) => Cell])[] = [
  [t('Name'), ({ name }) => name],
  [t('Email'), ({ email }) => email],
  [t('Role'), ({ role }) => ROLE_TEXTS[role]],
  [t('Last signed in'), ({ last_sign_in_on }) => last_sign_in_on],
  [t('State'), stateOf],
]
const idOf = ({ uuid }: User) => uuid
/** A page may have keys beside its users, with a filter of their own. */
const LIST = { idOf, columns: COLUMNS, values: VALUES, param: 'users' }

function stateOf({ active }: User): string {
  return active ? t('active') : t('deactivated')
}

function UserTable(props: {
  list: WholeList<User>
  book: UserBook
  class: string | undefined
  onChange: Change
}) {
  const mayWrite = mayDo('users:write')
  const { rows, selection } = props.list
  return (
    <ScrollArea label={t('All users')} {...(props.class && { class: props.class })}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={rows} />
            <SortHead by="user">{t('User')}</SortHead>
            <SortHead by="role">{t('Role')}</SortHead>
            <SortHead by="signed_in" first="desc">
              {t('Last signed in')}
            </SortHead>
            <SortHead by="state">{t('State')}</SortHead>
            {mayWrite && <th scope="col">{t('Change')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((user) => (
            <tr key={user.uuid}>
              <SelectRow selection={selection} row={user} name={user.email} />
              <td>
                <span lang="und">{user.name}</span>
                <div class="small muted">{user.email}</div>
              </td>
              <td>
                {mayWrite ? (
                  <RoleField user={user} book={props.book} onChange={props.onChange} />
                ) : (
                  ROLE_TEXTS[user.role]
                )}
              </td>
              <td>{fromNow(user.last_sign_in_on)}</td>
              <td>{stateOf(user)}</td>
              {mayWrite && (
                <td>
                  <UserButtons user={user} book={props.book} onChange={props.onChange} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

interface UserProps {
  user: User
  book: UserBook
  onChange: Change
}

function RoleField({ user: { uuid, email, role }, book, onChange }: UserProps) {
  return (
    <SelectField
      label={t('Role of {email}', { email })}
      hideLabel
      value={role}
      options={book.roles.map((each) => [each, ROLE_TEXTS[each]] as const)}
      onChange={(next) =>
        onChange(
          () => book.change(uuid, { role: next }),
          t('{email} has the role {role}.', { email, role: ROLE_TEXTS[next] }),
        )
      }
    />
  )
}

function UserButtons({ user: { uuid, email, active }, book, onChange }: UserProps) {
  const turn = async () => {
    if (active && !(await isMeant(t('Deactivate {email}?', { email }), t('Deactivate')))) return
    const done = active
      ? t('{email} is deactivated.', { email })
      : t('{email} is active.', { email })
    onChange(() => book.change(uuid, { active: !active }), done)
  }
  const remove = async () => {
    if (!(await isMeant(t('Remove {email}?', { email }), t('Remove')))) return
    onChange(() => book.remove(uuid), t('{email} has been removed.', { email }))
  }
  return (
    <div class="row">
      <button
        type="button"
        class="button is-small"
        aria-label={active ? t('Deactivate {email}', { email }) : t('Activate {email}', { email })}
        onClick={() => void turn()}
      >
        {active ? t('Deactivate') : t('Activate')}
      </button>
      <button
        type="button"
        class="button is-small is-quiet"
        aria-label={t('Remove {email}', { email })}
        onClick={() => void remove()}
      >
        {t('Remove')}
      </button>
    </div>
  )
}

function isMeant(title: string, action: string): Promise<boolean> {
  const text = t('The user can no longer sign in, and open sessions end at once.')
  return confirmed({ title, text, action, isDanger: true })
}
