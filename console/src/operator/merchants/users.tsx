import type { OperatorMerchant } from '../../api/operator/merchants.ts'
import { usersOf } from '../../api/people.ts'
import { t } from '../../language/language.ts'
import { Empty } from '../../parts/feedback.tsx'
import { Users } from '../../people/users.tsx'
import { MerchantHead } from './head.tsx'

/** The people of a merchant who can sign in. */
export function MerchantUsers({ merchant }: { merchant: OperatorMerchant }) {
  return (
    <Users
      book={usersOf('merchant', merchant.uuid)}
      firstRole="owner"
      empty={<Empty title={t('No users yet')} />}
      head={(invite) => (
        <MerchantHead merchant={merchant} part="users">
          {invite && (
            <button type="button" class="button is-main" onClick={invite}>
              {t('Invite a user')}
            </button>
          )}
        </MerchantHead>
      )}
    />
  )
}
