import type { ComponentType } from 'preact'
import { Empty } from '../parts/feedback.tsx'
import { AddressesPage } from './addresses-page.tsx'
import { SettingsTabs } from './head.tsx'
import { KeysPage } from './keys-page.tsx'
import { TemplatesPage } from './templates-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'

const PARTS: Record<string, ComponentType> = {
  templates: TemplatesPage,
  addresses: AddressesPage,
  keys: KeysPage,
  webhooks: WebhooksPage,
}

/** Everything a merchant decides for itself, apart from margins. */
export function SettingsPage({ part }: { part: string }) {
  const Part = PARTS[part]
  if (Part) return <Part />
  return (
    <>
      <h1>Settings</h1>
      <SettingsTabs />
      <Empty title="There is no such setting" />
    </>
  )
}
