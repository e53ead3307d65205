import type { Tx } from '../database/open.ts'
import { insertUser, OPERATOR, type Owner } from '../people/user-store.ts'
import type { Role } from '../reference/roles.ts'
import type { DemoSupplier } from './suppliers.ts'

/** Users of every role: of the merchant in the USA, of the supplier that ships, of the operator. */
export async function createDemoUsers(
  tx: Tx,
  suppliers: readonly DemoSupplier[],
): Promise<{ supplierUuid: string }> {
  const merchant = await tx
    .selectFrom('merchant')
    .select('uuid')
    .where('email', '=', 'buying@facet-street.example')
    .executeTakeFirstOrThrow()
  const shipping = suppliers.find(({ settings }) => settings.confirms && settings.ships)
  if (!shipping) throw new Error('no supplier of the demo market answers and ships')
  const { name } = shipping.settings
  const domain = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`
  const ofMerchant = { ...OPERATOR, merchant_uuid: merchant.uuid }
  const ofSupplier = { ...OPERATOR, supplier_uuid: shipping.uuid }
  await addUsers(tx, ofMerchant, 'Facet Street', 'facet-street.example', [
    'owner',
    'buyer',
    'viewer',
  ])
  await addUsers(tx, ofSupplier, name, domain, ['owner', 'viewer'])
  await insertUser(tx, ofSupplier, {
    email: `vault@${domain}`,
    name: `Vault of ${name}`,
    role: 'viewer',
  })
  await addUsers(tx, OPERATOR, 'the market', 'market.example', ['admin', 'sales', 'stock'])
  return { supplierUuid: shipping.uuid }
}

const TITLES: Record<Role, string> = {
  owner: 'Owner',
  buyer: 'Buyer',
  viewer: 'Viewer',
  admin: 'Administrator',
  sales: 'Sales',
  stock: 'Stock',
}

async function addUsers(
  tx: Tx,
  owner: Owner,
  name: string,
  domain: string,
  roles: readonly Role[],
): Promise<void> {
  for (const role of roles) {
    await insertUser(tx, owner, {
      email: `${role}@${domain}`,
      name: `${TITLES[role]} of ${name}`,
      role,
    })
  }
}
