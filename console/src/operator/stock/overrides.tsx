import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { mayDo } from '../../api/session-store.ts'
import { changeStone, type StockStone } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { fieldLabel } from '../../lib/field-name.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { showToast } from '../../parts/toast.tsx'
import { OverrideDialog } from './override-dialog.tsx'
import { OVERRIDE_FIELDS, type OverrideField } from './override-fields.ts'
import { shownValue } from './values.ts'

interface Props {
  stone: StockStone
  onChanged: () => void
}

/** What the operator can set, whatever the feed says; the feed's value is kept beneath. */
export function StoneOverrides({ stone, onChanged }: Props) {
  const [edited, setEdited] = useState<OverrideField>()
  const action = useAction()
  const clear = (field: OverrideField) =>
    action.run(async () => {
      const name = fieldLabel(field)
      const value = shownValue(field, stone.feed_values[field])
      const question = {
        title: t('Clear the override of “{name}”?', { name }),
        text: t('The value of the feed counts again: {value}', { value }),
        action: t('Clear'),
      }
      if (!(await confirmed(question))) return
      await changeStone(String(stone.sku), { [field]: null })
      showToast(t('The value of the feed counts again.'))
      onChanged()
    })
  // Parcels alone have tolerances.
  const fields = OVERRIDE_FIELDS.filter(
    (field) => stone.product_type === 'melee' || !field.startsWith('tolerance'),
  )
  return (
    <ScrollArea label={t('Overrides')}>
      <div class="panel-head">
        <h2>{t('Overrides')}</h2>
        <span class="muted small">{t('stand until you clear them, whatever the feed says')}</span>
      </div>
      <ProblemNote problem={action.problem} />
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            <th scope="col">{t('Value')}</th>
            {mayDo('inventory') && <th scope="col">{t('Change')}</th>}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <OverrideRow
              key={field}
              stone={stone}
              field={field}
              busy={action.busy}
              onEdit={() => setEdited(field)}
              onClear={() => void clear(field)}
            />
          ))}
        </tbody>
      </table>
      {edited && (
        <OverrideDialog
          stone={stone}
          field={edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined)
            onChanged()
          }}
        />
      )}
    </ScrollArea>
  )
}

function OverrideRow(props: {
  stone: StockStone
  field: OverrideField
  busy: boolean
  onEdit: () => void
  onClear: () => void
}) {
  const { stone, field } = props
  const name = fieldLabel(field)
  const isSet = Object.hasOwn(stone.overrides, field)
  const fed = shownValue(field, stone.feed_values[field])
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <span class={field.endsWith('url') ? 'mono is-breaking' : 'is-breaking'}>
          {shownValue(field, stone[field])}
        </span>{' '}
        {isSet && <span class="tag is-warn">{t('overridden')}</span>}
        {isSet && <div class="muted small">{t('Feed: {value}', { value: fed })}</div>}
      </td>
      {mayDo('inventory') && (
        <td>
          <div class="row">
            <button
              type="button"
              class="button is-small"
              disabled={props.busy}
              aria-label={t('Set {name}', { name })}
              onClick={props.onEdit}
            >
              {t('Set')}
            </button>
            {isSet && (
              <button
                type="button"
                class="button is-small"
                disabled={props.busy}
                aria-label={t('Clear {name}', { name })}
                onClick={props.onClear}
              >
                {t('Clear')}
              </button>
            )}
          </div>
        </td>
      )}
    </tr>
  )
}
