import type { Substitute, Substitutes } from '../../../src/orders/placing/substitutes.ts'
import type { ApiProblem } from '../api/client.ts'
import { carats, humanize, money } from '../lib/format.ts'
import { basket, removeFromBasket, replaceInBasket } from './basket-store.ts'

/** The items that can no longer be ordered, and the most similar stones for each. */
export function RefusedLines({ problem }: { problem: ApiProblem | undefined }) {
  if (!problem) return null
  const refused = problem.errors.flatMap(({ field, message }) => {
    const line = /line_items\[(\d+)\]/.exec(field)
    const sku = line ? basket.get()[Number(line[1])]?.sku : undefined
    return sku ? [{ sku, message }] : []
  })
  if (refused.length === 0) return null
  const substitutes = (problem.body.substitutes ?? []) as Substitutes[]
  return (
    <div class="note is-warn" role="alert">
      <p>{problem.message}</p>
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
            Remove from basket<span class="visually-hidden"> {sku}</span>
          </button>
        </div>
      ))}
    </div>
  )
}

function SubstituteList({ sku, stones }: { sku: string; stones: Substitute[] }) {
  if (stones.length === 0) return null
  return (
    <>
      <p class="small">Similar stones:</p>
      <ul class="stack">
        {stones.map((stone) => (
          <li key={stone.sku} class="row">
            <a href={`/stones/${stone.sku}`}>
              {[carats(stone.weight), humanize(stone.shape), stone.color, stone.clarity, stone.lab]
                .filter(Boolean)
                .join(' ')}
            </a>
            <span class="number">{money(stone.base_wholesale_price, 'USD')}</span>
            <button
              type="button"
              class="button is-small"
              onClick={() => replaceInBasket(sku, stone.sku)}
            >
              Choose this one<span class="visually-hidden"> {stone.sku}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
