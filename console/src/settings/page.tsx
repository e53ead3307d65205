import type { ComponentType } from 'preact'
import { t } from '../language/language.ts'
import { Empty } from '../parts/feedback.tsx'
import { AddressesPage } from './addresses-page.tsx'
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
