import { ownUsers } from '../api/people.ts'
import { session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { Empty } from '../parts/feedback.tsx'
import { SettingsHead } from '../settings/head.tsx'
import { PasswordForm } from './password-form.tsx'
import { Users } from './users.tsx'

/** The people of the side that is signed in, and one's own password. */
export function UsersPage() {
  const book = ownUsers()
  return (
    <>
      <Users
        book={book}
        firstRole={book.roles[book.roles.length - 1]}
        empty={<Empty title={t('No users yet')} />}
        head={(invite, total) => <Head invite={invite} total={total} />}
      />
      {session.get()?.user && <PasswordForm />}
    </>
  )
}

/** For a merchant they are among the settings. */
function Head(props: { invite: (() => void) | undefined; total: number | undefined }) {
  const { invite, total } = props
  const button = invite && (
    <button type="button" class="button is-main" onClick={invite}>
      {t('Invite a user')}
    </button>
  )
  if (session.get()?.role === 'merchant') return <SettingsHead>{button}</SettingsHead>
  return (
    <div class="page-head">
      <h1>{t('Users')}</h1>
      {total !== undefined && <span class="muted">{plural(total, 'user')}</span>}
      {button && <div class="page-tools">{button}</div>}
    </div>
  )
}
