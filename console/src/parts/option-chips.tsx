import { count, humanize } from '../lib/format.ts'

/** Values to choose from, each with the number of stones it would find. */
export function OptionChips(props: {
  name: string
  values: readonly string[]
  chosen: readonly string[]
  counts?: ReadonlyMap<string, number> | undefined
  labelOf?: (value: string) => string
  onChange: (chosen: string[]) => void
}) {
  const { name, values, chosen, counts, labelOf = humanize, onChange } = props
  const toggle = (value: string) =>
    onChange(
      chosen.includes(value)
        ? chosen.filter((each) => each !== value)
        : values.filter((each) => each === value || chosen.includes(each)),
    )
  return (
    <fieldset class="filter">
      <legend>{name}</legend>
      <div class="chips">
        {values.map((value) => {
          const stones = counts?.get(value) ?? 0
          return (
            <label key={value} class={counts && stones === 0 ? 'chip is-empty' : 'chip'}>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
              />
              <span>
                {labelOf(value)}
                {counts && <small>{count(stones)}</small>}
              </span>
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
