import { t } from '../../language/language.ts'
import { useStore } from '../../lib/store.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, SelectField } from '../../parts/fields.tsx'
import {
  changeLayout,
  layout,
  moveColumn,
  offeredColumns,
  resetLayout,
  toggleColumn,
} from './layout.ts'

/** Chooses columns, their order and the height of rows. Every change shows at once. */
export function ColumnsDialog({ onClose }: { onClose: () => void }) {
  const chosen = useStore(layout)
  return (
    <Dialog title={t('Columns')} onClose={onClose}>
      <SelectField
        label={t('Rows')}
        value={chosen.density}
        options={[
          ['comfortable', t('Comfortable')],
          ['compact', t('Compact')],
        ]}
        onChange={(density) => changeLayout({ density })}
      />
      <ul class="column-list" aria-label={t('Columns')}>
        {offeredColumns(chosen).map(({ column: { id, label }, isShown }) => (
          <li key={id}>
            <Checkbox checked={isShown} onChange={() => toggleColumn(id)}>
              {label}
            </Checkbox>
            {isShown &&
              ([-1, 1] as const).map((step) => (
                <button
                  key={step}
                  type="button"
                  class="button is-small is-quiet"
                  aria-label={
                    step < 0
                      ? t('Move {label} forward', { label })
                      : t('Move {label} back', { label })
                  }
                  onClick={() => moveColumn(id, step)}
                >
                  <span aria-hidden="true">{step < 0 ? '↑' : '↓'}</span>
                </button>
              ))}
          </li>
        ))}
      </ul>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={resetLayout}>
          {t('Reset')}
        </button>
        <button type="button" class="button is-main" onClick={onClose}>
          {t('Done')}
        </button>
      </div>
    </Dialog>
  )
}
