import { t } from '../language/language.ts'
import { count } from '../lib/format.ts'
import { numberIn, numberText } from '../lib/numbers.ts'
import { Goods, type NamedGoods } from './goods.tsx'

/** A line of an order, for the operator, a merchant or a supplier. */
export interface OrderedLine extends NamedGoods {
  uuid: string
  sku?: string
  /** What stands behind its name. */
  note?: string
}

/** A quantity for each line of an order, by the line's uuid. */
type LineQuantities = Record<string, number>

export function allQuantities<Line extends OrderedLine>(
  lines: Line[],
  remaining: (line: Line) => number,
): LineQuantities {
  return Object.fromEntries(lines.map((line) => [line.uuid, remaining(line)]))
}

/** The lines of a request; those without a quantity are left out. */
export function quantitiesBody(quantities: LineQuantities): { uuid: string; quantity: number }[] {
  return Object.entries(quantities)
    .filter(([, quantity]) => quantity > 0)
    .map(([uuid, quantity]) => ({ uuid, quantity }))
}

/** Fields to enter a quantity for each line. */
export function QuantityFields<Line extends OrderedLine>(props: {
  lines: Line[]
  remaining: (line: Line) => number
  quantities: LineQuantities
  onChange: (quantities: LineQuantities) => void
}) {
  return (
    <ul class="stack">
      {props.lines.map((line) => (
        <li key={line.uuid} class="row">
          <label class="row">
            <input
              class="input"
              inputMode="numeric"
              style={{ width: '84px' }}
              value={numberText(props.quantities[line.uuid])}
              onChange={(event) =>
                props.onChange({
                  ...props.quantities,
                  [line.uuid]: between(
                    0,
                    numberIn(event.currentTarget.value),
                    props.remaining(line),
                  ),
                })
              }
            />
            <span>
              {t('of {count}:', { count: count(props.remaining(line)) })} <Goods line={line} />{' '}
              <span class="muted small mono">{line.sku}</span>
              {line.note && ` (${line.note})`}
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}

/** The nearest whole number that is possible; the lowest when it is not a number. */
function between(lowest: number, typed: number, highest: number): number {
  return typed >= lowest ? Math.min(highest, Math.floor(typed)) : lowest
}
