import type { ComponentChildren } from 'preact'
import { useLocation } from '../lib/router.ts'

const TABS = [
  ['/settings', 'Margins'],
  ['/settings/templates', 'Templates'],
  ['/settings/addresses', 'Addresses'],
  ['/settings/keys', 'Keys'],
  ['/settings/webhooks', 'Webhooks'],
  ['/settings/users', 'Users'],
] as const

/** The heading of every settings page: its buttons, and tabs to the others. */
export function SettingsHead({ children }: { children?: ComponentChildren }) {
  const { path } = useLocation()
  return (
    <>
      <div class="page-head">
        <h1>{TABS.find(([href]) => href === path)?.[1] ?? 'Settings'}</h1>
        {children && <div class="page-tools">{children}</div>}
      </div>
      <nav class="tabs" aria-label="Settings">
        {TABS.map(([href, label]) => (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  )
}
