import type { User } from '../api/people.ts'
import { t } from '../language/language.ts'

export const ROLE_TEXTS: Record<User['role'], string> = {
  owner: t('Owner'),
  buyer: t('Buyer'),
  viewer: t('Viewer'),
  admin: t('Administrator'),
  sales: t('Sales'),
  stock: t('Stock'),
}
