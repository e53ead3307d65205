import { t } from '../language/language.ts'
import { capitalize, count, humanize } from '../lib/format.ts'
import { ShapePicture } from './shape-picture.tsx'

/** Shapes to choose from, as pictures. */
export function ShapePicker(props: {
  shapes: readonly string[]
  chosen: readonly string[]
  name?: string
  /** How many stones each shape would find. */
  counts?: ReadonlyMap<string, number> | undefined
  /** Exactly one shape, as the curated search needs it. */
  single?: boolean
  onChange: (chosen: string[]) => void
}) {
  const { shapes, chosen, single, counts, onChange } = props
  const toggle = (shape: string) => {
    if (single) onChange([shape])
    else if (chosen.includes(shape)) onChange(chosen.filter((each) => each !== shape))
    else onChange([...chosen, shape])
  }
  return (
    <fieldset class="filter">
      <legend>{props.name ?? t('Shape')}</legend>
      <div class="shapes">
        {shapes.map((shape) => (
          <label key={shape} class="shape">
            <input
              type={single ? 'radio' : 'checkbox'}
              name="shape"
              checked={chosen.includes(shape)}
              onChange={() => toggle(shape)}
            />
            <span>
              <ShapePicture shape={shape} />
              {capitalize(humanize(shape))}
              {counts && <small>{count(counts.get(shape) ?? 0)}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
