import type { ComponentChildren } from 'preact'
import { t } from '../../language/language.ts'
import { useLocation } from '../../lib/router.ts'
import { SupplierFilter } from './supplier-filter.tsx'

const TABS = [
  ['/operator/conflicts', t('Conflicts')],
  ['/operator/quarantine', t('Quarantine')],
] as const

/** The heading of what a person has to decide about stock, with the other list as a tab. */
export function ReviewHead({ lead, children }: { lead: string; children?: ComponentChildren }) {
  const { path } = useLocation()
  return (
    <>
      <div class="page-head">
        <h1>{TABS.find(([href]) => href === path)?.[1]}</h1>
        <div class="page-tools">
          <SupplierFilter />
          {children}
        </div>
        <p class="page-lead">{lead}</p>
      </div>
      <nav class="tabs" aria-label={t('What to decide')}>
        {TABS.map(([href, label]) => (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </>
  )
}
