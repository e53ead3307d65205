import type { SupplierStone } from '../api/supplier.ts'
import { t } from '../language/language.ts'
import { Dialog } from '../parts/dialog.tsx'

/** Everything that is known of a stone, under the names that the interface has for it. */
export function StoneDialog({ stone, onClose }: { stone: SupplierStone; onClose: () => void }) {
  const known = Object.entries(stone).filter(
    ([, value]) => value !== null && value !== '' && value !== undefined,
  )
  return (
    <Dialog title={String(stone.vendor_sku)} onClose={onClose}>
      <p class="muted">{t('What your files say, and what became of the stone.')}</p>
      <dl class="changes">
        {known.map(([name, value]) => (
          <div key={name}>
            <dt class="mono">{name}</dt>
            <dd class="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          {t('Close')}
        </button>
      </div>
    </Dialog>
  )
}
