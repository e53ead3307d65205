import { useRead } from '../../api/hooks.ts'
import { readSupplier, type Supplier } from '../../api/operator/suppliers.ts'
import { t } from '../../language/language.ts'
import { countryName, fromNow } from '../../lib/format.ts'
import { useLocation } from '../../lib/router.ts'
import { Loading, PageProblem } from '../../parts/feedback.tsx'
import { SupplierImports } from './imports.tsx'
import { SupplierKeys } from './keys.tsx'
import { SupplierScore } from './score.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SupplierSources } from './sources.tsx'
import { SupplierUsers } from './users.tsx'

const TABS = [
  ['', t('Settings')],
  ['sources', t('Feed sources')],
  ['imports', t('Imports')],
  ['score', t('Score card')],
  ['people', t('Users and keys')],
] as const

/** One supplier: how it is agreed to work, where its files come from, and how well it delivers. */
export function SupplierPage({ uuid }: { uuid: string }) {
  const { params } = useLocation()
  const reading = useRead(uuid, (signal) => readSupplier(uuid, signal))
  const supplier = reading.value
  if (!supplier) {
    if (!reading.problem) return <Loading rows={4} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  const tab = params.get('tab') ?? ''
  return (
    <>
      <div class="page-head">
        <h1>{supplier.name}</h1>
        <p class="page-lead">
          {supplier.country_code && `${countryName(supplier.country_code)} · `}
          {t('Last import: {time}', { time: fromNow(supplier.synced_on) })}
        </p>
      </div>
      <nav class="tabs" aria-label={t('Parts of this page')}>
        {TABS.map(([name, label]) => (
          <a
            key={name}
            href={`/operator/suppliers/${uuid}${name && `?tab=${name}`}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <Part tab={tab} supplier={supplier} onSaved={reading.reload} />
    </>
  )
}

function Part(props: { tab: string; supplier: Supplier; onSaved: () => void }) {
  const { tab, supplier, onSaved } = props
  if (tab === 'sources') return <SupplierSources supplier={supplier} />
  if (tab === 'imports') return <SupplierImports supplier={supplier} />
  if (tab === 'score') return <SupplierScore supplier={supplier} />
  if (tab === 'people') {
    return (
      <>
        <SupplierUsers supplier={supplier} />
        <SupplierKeys supplier={supplier} />
      </>
    )
  }
  return <SettingsForm key={JSON.stringify(supplier)} supplier={supplier} onSaved={onSaved} />
}
