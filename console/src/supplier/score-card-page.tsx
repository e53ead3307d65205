import { useRead } from '../api/hooks.ts'
import { readScoreCard } from '../api/supplier.ts'
import { t } from '../language/language.ts'
import { Loading, PageProblem } from '../parts/feedback.tsx'
import { ScoreCardFigures } from './score-card.tsx'

/** How well the supplier delivers, as the operator sees it, too. */
export function ScoreCardPage() {
  const reading = useRead('score card', (signal) => readScoreCard(signal))
  if (!reading.value) {
    if (!reading.problem) return <Loading rows={3} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  return (
    <>
      <div class="page-head">
        <h1>{t('Score card')}</h1>
        <p class="page-lead">{t('The operator of the market sees the same figures.')}</p>
      </div>
      <ScoreCardFigures card={reading.value} />
    </>
  )
}
