import type { ComponentType } from 'preact'
import { OWN_ADDRESSES } from '../api/addresses.ts'
import { t } from '../language/language.ts'
import { Addresses } from '../parts/addresses.tsx'
import { Empty } from '../parts/feedback.tsx'
import { SettingsHead } from './head.tsx'
import { KeysPage } from './keys-page.tsx'
import { TemplatesPage } from './templates-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

const PARTS: Record<string, ComponentType> = {
  templates: TemplatesPage,
  addresses: AddressesPage,
  keys: KeysPage,
  webhooks: WebhooksPage,
}

/** The settings apart from margins, whose page is loaded by itself because of its plot. */
export function SettingsPage({ part }: { part: string }) {
  const Part = PARTS[part]
  if (Part) return <Part />
  return (
    <>
      <SettingsHead />
      <Empty title={t('Page not found')} />
    </>
  )
}

/** The merchant's shipping addresses. */
function AddressesPage() {
  return <Addresses book={OWN_ADDRESSES} head={(button) => <SettingsHead>{button}</SettingsHead>} />
}
