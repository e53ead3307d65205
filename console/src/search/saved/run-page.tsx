import { useEffect } from 'preact/hooks'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { go, useOffset } from '../../lib/router.ts'
import { Empty, Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { Pager } from '../../parts/pager.tsx'
import { StoneCard } from '../../stones/card.tsx'
import { addressOf, filterTexts } from './filters.ts'
import { readSavedSearch, runSavedSearch, type SavedSearch } from './requests.ts'

const LIMIT = 48

/** A saved search. Where the search page can show it, that page follows. */
export function SavedSearchPage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readSavedSearch(uuid, signal))
  const address = reading.value && addressOf(reading.value)
  useEffect(() => {
    if (address) go(address, { replace: true })
  }, [address])
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value || address) return <Loading rows={3} height={160} />
  return <MatchingStones search={reading.value} />
}

function MatchingStones({ search }: { search: SavedSearch }) {
  const offset = useOffset()
  const reading = useRead(`${search.uuid} ${offset}`, (signal) =>
    runSavedSearch(search.uuid, { limit: LIMIT, offset }, signal),
  )
  const total = reading.value?.total ?? 0
  return (
    <>
      <div class="page-head">
        <h1 lang="">{search.name}</h1>
        {reading.value && <span class="muted">{plural(total, 'stone')}</span>}
        <p class="page-lead">{filterTexts(search).join(' · ')}</p>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading rows={3} height={160} />}
      {reading.value && total === 0 && (
        <Empty title={t('No stones match your search')}>
          <a class="button" href="/saved">
            {t('Saved searches')}
          </a>
        </Empty>
      )}
      <ul class="cards">
        {reading.value?.gems.map((gem) => (
          <StoneCard key={gem.sku} gem={gem} />
        ))}
      </ul>
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}
