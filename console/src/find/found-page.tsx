import { useEffect } from 'preact/hooks'
import { useRead } from '../api/hooks.ts'
import { t } from '../language/language.ts'
import { plural } from '../lib/format.ts'
import { go, useLocation } from '../lib/router.ts'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { StoneCard } from '../stones/card.tsx'
import { findByNumbers } from './find-stones.ts'

/** The stones of a list of SKUs and certificates, and which of them are not on the market. */
export function FoundPage() {
  const { params } = useLocation()
  const numbers = (params.get('numbers') ?? '').split(',').filter((each) => each !== '')
  const leftOut = Number(params.get('left_out') ?? 0)
  const key = numbers.join()
  const reading = useRead(key, (signal) => findByNumbers(numbers, signal))
  const gems = reading.value?.gems ?? []
  const isOne = numbers.length === 1 && gems.length === 1 && !reading.loading
  useEffect(() => {
    if (isOne) go(`/stones/${encodeURIComponent(gems[0].sku)}`, { replace: true })
  }, [isOne, gems[0]?.sku])
  return (
    <>
      <div class="page-head">
        <h1>{t('Stones by number')}</h1>
        {reading.value && (
          <p class="page-lead">
            {t('{stones} for {numbers}', {
              stones: plural(gems.length, 'stone'),
              numbers: plural(numbers.length, 'number'),
            })}
          </p>
        )}
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading rows={4} height={64} />}
      {reading.value && <Missing numbers={reading.value.missing} leftOut={leftOut} />}
      {gems.length > 0 && (
        <ul class="cards">
          {gems.map((gem) => (
            <StoneCard key={gem.sku} gem={gem} note={gem.cert_num ?? undefined} />
          ))}
        </ul>
      )}
    </>
  )
}

function Missing({ numbers, leftOut }: { numbers: string[]; leftOut: number }) {
  if (numbers.length === 0 && leftOut === 0) return null
  const [first] = numbers
  return (
    <section class="note is-warn" aria-label={t('Not found')} style={{ marginBottom: '16px' }}>
      {numbers.length > 0 && (
        <p>
          <strong>{t('Not on the market:')}</strong> <span class="mono">{numbers.join(', ')}</span>
        </p>
      )}
      {leftOut > 0 && (
        <p>
          {t('{numbers} did not fit into one search.', {
            numbers: plural(leftOut, 'more number'),
          })}
        </p>
      )}
      {numbers.length === 1 && (
        <a class="button is-small" href={`/orders?${new URLSearchParams({ q: first })}`}>
          {t('Look for it in your orders')}
        </a>
      )}
    </section>
  )
}
