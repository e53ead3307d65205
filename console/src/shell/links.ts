import type { Session } from '../api/session-store.ts'

type Link = readonly [path: string, label: string]
type Role = Session['role']

/** The pages in the menu of each side. */
export const MENUS: Record<Role, readonly Link[]> = {
  merchant: [
    ['/search', 'Diamonds'],
    ['/curated', 'Curated'],
    ['/parcels', 'Parcels'],
    ['/gemstones', 'Gemstones'],
    ['/jewelry', 'Jewelry'],
    ['/orders', 'Orders'],
    ['/holds', 'Holds'],
    ['/notices', 'Notices'],
    ['/settings', 'Settings'],
  ],
  operator: [
    ['/operator', 'Overview'],
    ['/operator/imports', 'Imports'],
    ['/operator/conflicts', 'Conflicts'],
    ['/operator/merchants', 'Merchants'],
    ['/operator/orders', 'Orders'],
    ['/operator/rates', 'Rates'],
    ['/operator/notices', 'Notices'],
    ['/operator/users', 'Users'],
  ],
  supplier: [
    ['/supplier/orders', 'Orders'],
    ['/supplier/stock', 'Stock'],
    ['/supplier/imports', 'Imports'],
    ['/supplier/scorecard', 'Score card'],
    ['/supplier/notices', 'Notices'],
    ['/supplier/users', 'Users'],
  ],
}

/** Pages that other pages lead to; the command palette lists them, too. */
export const FURTHER_PAGES: Record<Role, readonly Link[]> = {
  merchant: [
    ['/basket', 'Basket'],
    ['/compare', 'Compare'],
    ['/search?view=table', 'Diamonds as a table'],
    ['/search?view=pairs', 'Matched pairs'],
    ['/settings/templates', 'Settings: templates'],
    ['/settings/addresses', 'Settings: addresses'],
    ['/settings/keys', 'Settings: keys'],
    ['/settings/webhooks', 'Settings: webhooks'],
    ['/settings/users', 'Settings: users'],
  ],
  operator: [['/operator/orders?overdue=yes', 'Overdue memos']],
  supplier: [],
}
