import type { Supplier } from '../../api/operator/suppliers.ts'
import { usersOf } from '../../api/people.ts'
import { t } from '../../language/language.ts'
import { Users } from '../../people/users.tsx'

/** The people of a supplier who can sign in. */
export function SupplierUsers({ supplier: { uuid } }: { supplier: Supplier }) {
  return (
    <section class="panel stack" aria-labelledby="users">
      <Users
        book={usersOf('supplier', uuid)}
        firstRole="owner"
        tableClass="wide-scroll"
        empty={<p class="muted">{t('Nobody yet. Invite an owner, who can invite the others.')}</p>}
        head={(invite) => (
          <div class="panel-head">
            <h2 id="users">{t('Users')}</h2>
            {invite && (
              <div class="panel-tools">
                <button type="button" class="button is-small" onClick={invite}>
                  {t('Invite a user')}
                </button>
              </div>
            )}
          </div>
        )}
      />
    </section>
  )
}
