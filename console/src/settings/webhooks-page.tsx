import { SettingsTabs } from './settings-tabs.tsx'

export function WebhooksPage() {
  return (
    <>
      <h1>Settings</h1>
      <SettingsTabs />
    </>
  )
}
