import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { t, tIn } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { Dialog } from '../../parts/dialog.tsx'

/** On a phone the filters are a sheet over the results, which says what it would show. */
export function FilterSheet(props: {
  /** How many filters are in use. */
  used: number
  /** How many stones they find, once it is known. */
  total: number | undefined
  onClear: () => void
  /** The filters. */
  children: ComponentChildren
}) {
  const { used, total } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        {t('Filters')} {used > 0 && <span class="badge">{used}</span>}
      </button>
      {isOpen && (
        <Dialog title={t('Filters')} class="sheet" onClose={() => setOpen(false)}>
          {props.children}
          <div class="sheet-foot">
            <button type="button" class="button" disabled={used === 0} onClick={props.onClear}>
              {tIn('sheet', 'Clear all')}
            </button>
            <button type="button" class="button is-main" onClick={() => setOpen(false)}>
              {total === undefined
                ? t('Searching …')
                : t('Show {stones}', { stones: plural(total, 'stone') })}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
