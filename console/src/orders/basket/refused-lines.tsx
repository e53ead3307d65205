import type { Substitute, Substitutes } from '../../../../src/orders/placing/substitutes.ts'
import type { ApiProblem } from '../../api/client.ts'
import { t } from '../../language/language.ts'
import { problemText } from '../../language/problem-text.ts'
import { basket, removeFromBasket, replaceInBasket } from '../basket-store.ts'
import { StoneLink } from '../links.tsx'
import { lineProblem } from './line-problems.ts'

/** The items that can no longer be ordered, and the most similar stones for each. */
export function RefusedLines({ problem }: { problem: ApiProblem | undefined }) {
  if (!problem) return null
  const refused = problem.errors.flatMap(({ field, message }) => {
    const line = /line_items\[(\d+)\]/.exec(field)
    const sku = line ? basket.get()[Number(line[1])]?.sku : undefined
    return sku ? [{ sku, message: lineProblem(problem, message, sku) }] : []
  })
  if (refused.length === 0) return null
  const substitutes = (problem.body.substitutes ?? []) as Substitutes[]
  const removeAll = () => {
    for (const { sku } of refused) removeFromBasket(sku)
  }
  return (
    <div class="note is-warn" role="alert">
      <p>{problemText(problem)}</p>
      {refused.map(({ sku, message }) => (
        <div key={sku} class="stack">
          <p>
            <strong class="mono">{sku}</strong> {message}
          </p>
          <SubstituteList
            sku={sku}
            stones={substitutes.find((each) => each.sku === sku)?.stones ?? []}
          />
          <button type="button" class="button is-small" onClick={() => removeFromBasket(sku)}>
            {t('Remove from basket')}
            <span class="visually-hidden"> {sku}</span>
          </button>
        </div>
      ))}
      {refused.length > 1 && (
        <button type="button" class="button is-small" onClick={removeAll}>
          {t('Remove all of these, and order the others')}
        </button>
      )}
    </div>
  )
}

function SubstituteList({ sku, stones }: { sku: string; stones: Substitute[] }) {
  if (stones.length === 0) return null
  return (
    <>
      <p class="small">{t('Similar stones:')}</p>
      <ul class="stack">
        {stones.map((stone) => (
          <li key={stone.sku} class="row">
            <StoneLink stone={stone} />
            <button
              type="button"
              class="button is-small"
              onClick={() => replaceInBasket(sku, stone.sku)}
            >
              {t('Choose this one')}
              <span class="visually-hidden"> {stone.sku}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
