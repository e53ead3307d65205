import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  type OperatorMerchant,
  readMerchantMargins,
  replaceMerchantMargins,
} from '../../api/operator/merchants.ts'
import { mayDo } from '../../api/session-store.ts'
import { listDefaultMargins, type MarginDraft } from '../../api/settings.ts'
import { t } from '../../language/language.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { draftText, readDraft, type TierText } from '../../settings/margin-tiers.ts'
import { TierTable } from '../../settings/tier-table.tsx'

/** The merchant's own tiers for diamonds, or the default ones that it has without any. */
export function MerchantMargins({ merchant }: { merchant: OperatorMerchant }) {
  const { uuid } = merchant
  const reading = useRead(`margins ${uuid}`, async (signal) => {
    const own = await readMerchantMargins(uuid, signal)
    const defaults = own.profit_margins.length > 0 ? [] : await listDefaultMargins(signal)
    return { own, defaults }
  })
  if (!reading.value) {
    if (!reading.problem) return <Loading />
    return <ProblemNote problem={reading.problem} onRetry={reading.reload} />
  }
  const { own, defaults } = reading.value
  return (
    <MarginForm
      key={JSON.stringify(own)}
      merchant={merchant}
      mode={own.profit_margins.length > 0 ? own.margin_mode : 'weight'}
      isOwn={own.profit_margins.length > 0}
      before={draftText(own.profit_margins, defaults)}
      onSaved={reading.reload}
    />
  )
}

function MarginForm(props: {
  merchant: OperatorMerchant
  mode: MarginDraft['mode']
  isOwn: boolean
  before: TierText[]
  onSaved: () => void
}) {
  const { merchant, mode, isOwn, before } = props
  const [tiers, setTiers] = useState(before)
  const action = useAction()
  const draft = readDraft(tiers, mode)
  const isChanged = JSON.stringify(tiers) !== JSON.stringify(before)
  useUnsaved(isChanged)
  const save = (margins: MarginDraft, title: string) =>
    action.run(async () => {
      const text = t('The retail prices of its shop change at once.')
      if (!(await confirmed({ title, text, action: t('Change margins') }))) return
      await replaceMerchantMargins(merchant.uuid, margins)
      showToast(t('The new margins are in effect.'))
      props.onSaved()
    })
  const values = { merchant: merchant.legal_dba }
  return (
    <section class="panel stack" aria-label={t('Margins')}>
      <h2>{isOwn ? t('Its own margins') : t('Margins: the default tiers')}</h2>
      <fieldset disabled={!mayDo('merchants:write')}>
        <TierTable tiers={tiers} unit={mode === 'weight' ? 'ct' : 'USD'} onChange={setTiers} />
      </fieldset>
      <ProblemNote problem={action.problem} />
      <div class="row" hidden={!mayDo('merchants:write')}>
        <button
          type="button"
          class="button"
          disabled={!draft || !isChanged || action.busy}
          onClick={() => draft && void save(draft, t('Change the margins of {merchant}?', values))}
        >
          {t('Save margins')}
        </button>
        {isOwn && (
          <button
            type="button"
            class="button is-quiet"
            disabled={action.busy}
            onClick={() =>
              void save(
                { mode: 'weight', product_type: 'diamond', tiers: [] },
                t('Give {merchant} the default tiers?', values),
              )
            }
          >
            {t('Restore default tiers')}
          </button>
        )}
      </div>
    </section>
  )
}
