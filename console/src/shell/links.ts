import type { Session } from '../api/session-store.ts'
import { t } from '../language/language.ts'

type Link = readonly [path: string, label: string]
type Role = Session['role']

/** The pages in the menu of each side. */
export const MENUS: Record<Role, readonly Link[]> = {
  merchant: [
    ['/search', t('Diamonds')],
    ['/curated', t('Curated')],
    ['/parcels', t('Parcels')],
    ['/gemstones', t('Gemstones')],
    ['/jewelry', t('Jewelry')],
    ['/saved', t('Saved searches')],
    ['/watch', t('Watch list')],
    ['/orders', t('Orders')],
    ['/holds', t('Holds')],
    ['/shares', t('Share links')],
    ['/notices', t('Notices')],
    ['/settings', t('Settings')],
  ],
  operator: [
    ['/operator', t('Overview')],
    ['/operator/figures', t('Figures')],
    ['/operator/suppliers', t('Suppliers')],
    ['/operator/stock', t('Stock')],
    ['/operator/imports', t('Imports')],
    ['/operator/conflicts', t('Conflicts')],
    ['/operator/merchants', t('Merchants')],
    ['/operator/orders', t('Orders')],
    ['/operator/quotes', t('Quotes')],
    ['/operator/memos', t('Memos')],
    ['/operator/returns', t('Returns')],
    ['/operator/rates', t('Rates')],
    ['/operator/notices', t('Notices')],
    ['/operator/users', t('Users')],
    ['/operator/seller', t('Seller')],
    ['/operator/audit', t('Audit log')],
  ],
  supplier: [
    ['/supplier/orders', t('Orders')],
    ['/supplier/stock', t('Stock')],
    ['/supplier/imports', t('Imports')],
    ['/supplier/scorecard', t('Score card')],
    ['/supplier/notices', t('Notices')],
    ['/supplier/users', t('Users')],
  ],
}

/** Pages that other pages lead to; the command palette lists them, too. */
export const FURTHER_PAGES: Record<Role, readonly Link[]> = {
  merchant: [
    ['/basket', t('Basket')],
    ['/quotes', t('Quotes')],
    ['/returns', t('Returns')],
    ['/memos', t('On memo')],
    ['/account', t('Account')],
    ['/compare', t('Compare')],
    ['/search?view=table', t('Diamonds as a table')],
    ['/search?view=pairs', t('Matched pairs')],
    ['/settings/templates', t('Settings: templates')],
    ['/settings/addresses', t('Settings: addresses')],
    ['/settings/keys', t('Settings: keys')],
    ['/settings/webhooks', t('Settings: webhooks')],
    ['/settings/users', t('Settings: users')],
  ],
  operator: [
    ['/operator/memos?overdue=yes', t('Overdue memos')],
    ['/operator/orders?unconfirmed=yes', t('Orders that wait for a supplier')],
    ['/operator/orders?unshipped=yes', t('Orders to ship')],
    ['/operator/quarantine', t('Quarantine')],
    ['/operator/imports/jewelry', t('Jewelry imports')],
    ['/operator/catalogues', t('Catalogues')],
  ],
  supplier: [],
}
