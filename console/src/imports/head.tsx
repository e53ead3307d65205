import { importSide } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { useLocation } from '../lib/router.ts'

const TABS = [
  ['/operator/imports', t('Stones')],
  ['/operator/imports/jewelry', t('Jewelry')],
  ['/operator/catalogues', t('Catalogues')],
] as const

/** The heading of the lists of imports; a supplier imports stones only. */
export function ImportsHead({ title }: { title: string }) {
  const { path } = useLocation()
  return (
    <>
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      {importSide() === 'operator' && (
        <nav class="tabs" aria-label={t('Imports')}>
          {TABS.map(([href, label]) => (
            <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      )}
    </>
  )
}
