import { go, useLocation, withParams } from '../../lib/router.ts'
import { SelectField } from '../fields.tsx'

type Options = readonly (readonly [value: string, label: string])[]

/** Shows a part of a list; what is chosen is in the address. */
export function ChoiceFilter(props: { name: string; label: string; options: Options }) {
  const { name, label, options } = props
  const { params } = useLocation()
  return (
    <SelectField<string>
      label={label}
      hideLabel
      value={params.get(name) ?? ''}
      options={options}
      onChange={(next) => go(withParams({ [name]: next || undefined, offset: undefined }))}
    />
  )
}
