import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { useLocation } from '../lib/router.ts'

const TABS = [
  ['/settings', t('Margins')],
  ['/settings/templates', t('Templates')],
  ['/settings/addresses', t('Addresses')],
  ['/settings/keys', t('Keys')],
  ['/settings/webhooks', t('Webhooks')],
  ['/settings/users', t('Users')],
] as const

/** The heading of every settings page: its buttons, and tabs to the others. */
export function SettingsHead({ children }: { children?: ComponentChildren }) {
  const { path } = useLocation()
  return (
    <>
      <div class="page-head">
        <h1>{TABS.find(([href]) => href === path)?.[1] ?? t('Settings')}</h1>
        {children && <div class="page-tools">{children}</div>}
      </div>
      <nav class="tabs" aria-label={t('Settings')}>
        {TABS.map(([href, label]) => (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  )
}
