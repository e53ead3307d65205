import type { LineItem } from '../../api/orders.ts'

/** How many of each line; by line uuid. */
export type LineQuantities = Record<string, number>

export function allQuantities(lines: LineItem[], left: (line: LineItem) => number): LineQuantities {
  return Object.fromEntries(lines.map((line) => [line.uuid, left(line)]))
}

/** What the interface takes: the lines of which there is something. */
export function quantitiesBody(units: LineQuantities): { uuid: string; quantity: number }[] {
  return Object.entries(units)
    .filter(([, quantity]) => quantity > 0)
    .map(([uuid, quantity]) => ({ uuid, quantity }))
}

/** Fields to showToast how many of each line are meant. */
export function QuantityFields(props: {
  lines: LineItem[]
  left: (line: LineItem) => number
  units: LineQuantities
  onChange: (units: LineQuantities) => void
}) {
  return (
    <ul class="stack">
      {props.lines.map((line) => (
        <li key={line.uuid} class="row">
          <label class="row">
            <input
              class="input"
              type="number"
              style={{ width: '84px' }}
              min="0"
              max={String(props.left(line))}
              value={props.units[line.uuid]}
              onInput={(event) =>
                props.onChange({
                  ...props.units,
                  [line.uuid]: Math.max(0, Math.floor(Number(event.currentTarget.value))),
                })
              }
            />
            <span>
              of {props.left(line)}: {line.name}
            </span>
          </label>
        </li>
      ))}
    </ul>
  )
}
