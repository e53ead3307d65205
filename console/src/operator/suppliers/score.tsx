import { useRead } from '../../api/hooks.ts'
import { readScoreCardOf, type Supplier } from '../../api/operator/suppliers.ts'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { ScoreCardFigures } from '../../supplier/score-card.tsx'

/** The score card that the supplier itself sees as well. */
export function SupplierScore({ supplier: { uuid } }: { supplier: Supplier }) {
  const reading = useRead(uuid, (signal) => readScoreCardOf(uuid, signal))
  return (
    <>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading rows={3} height={90} />}
      {reading.value && <ScoreCardFigures card={reading.value} />}
    </>
  )
}
