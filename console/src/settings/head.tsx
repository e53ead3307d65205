import { useLocation } from '../lib/router.ts'

const TABS = [
  ['/settings', 'Margins'],
  ['/settings/templates', 'Templates'],
  ['/settings/addresses', 'Addresses'],
  ['/settings/keys', 'Keys'],
  ['/settings/webhooks', 'Webhooks'],
] as const

export function SettingsTabs() {
  const { path } = useLocation()
  return (
    <nav class="tabs" aria-label="Settings">
      {TABS.map(([href, label]) => (
        <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}
