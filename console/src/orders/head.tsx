import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { useLocation } from '../lib/router.ts'

const TABS = [
  ['/orders', t('Orders')],
  ['/quotes', t('Quotes')],
  ['/returns', t('Returns')],
  ['/memos', t('On memo')],
  ['/account', t('Account')],
] as const

/** The heading of the lists about a merchant's trade: what stands beside it, and the tabs. */
export function TradeHead({ children }: { children?: ComponentChildren }) {
  const { path } = useLocation()
  return (
    <>
      <div class="page-head">
        <h1>{TABS.find(([href]) => href === path)?.[1]}</h1>
        {children}
      </div>
      <nav class="tabs" aria-label={t('Orders and account')}>
        {TABS.map(([href, label]) => (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  )
}
