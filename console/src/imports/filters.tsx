import { t } from '../language/language.ts'
import { capitalize, humanize } from '../lib/format.ts'
import { useLocation } from '../lib/router.ts'
import { ChoiceFilter } from '../parts/table/choice-filter.tsx'

/** Which files the address asks for: by a part of their name, and by what became of them. */
export function useFileFilters<Status extends string>(statuses: readonly Status[]) {
  const { params } = useLocation()
  return {
    q: params.get('q') || undefined,
    status: statuses.find((status) => status === params.get('status')),
  }
}

export function StatusFilter({ statuses }: { statuses: readonly string[] }) {
  const options = statuses.map((status) => [status, capitalize(humanize(status))] as const)
  return (
    <ChoiceFilter name="status" label={t('Status')} options={[['', t('Any status')], ...options]} />
  )
}
