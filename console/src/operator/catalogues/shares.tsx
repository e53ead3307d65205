import { useAction, useRead } from '../../api/hooks.ts'
import { type Catalogue, shareCatalogue, unshareCatalogue } from '../../api/operator/catalogues.ts'
import { listMerchants } from '../../api/operator/merchants.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox } from '../../parts/fields.tsx'

const MERCHANTS_MAX = 500

/** The merchants who see the catalogue even when it is not published. */
export function CatalogueShares(props: { catalogue: Catalogue; onChanged: () => void }) {
  const { catalogue } = props
  const reading = useRead('merchants', (signal) =>
    listMerchants({ limit: MERCHANTS_MAX, offset: 0 }, signal),
  )
  const action = useAction()
  const change = (merchant: string, isShared: boolean) =>
    action.run(async () => {
      await (isShared ? shareCatalogue : unshareCatalogue)(catalogue.uuid, merchant)
      props.onChanged()
    })
  return (
    <section class="panel stack" aria-label={t('Shared with')}>
      <h2>{t('Shared with')}</h2>
      <p class="muted small">{t('They see it even when it is not published.')}</p>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!reading.value && !reading.problem && <Loading rows={3} />}
      <fieldset class="stack" disabled={!mayDo('inventory')}>
        <legend class="visually-hidden">{t('Shared with')}</legend>
        {reading.value?.merchants.map((merchant) => (
          <Checkbox
            key={merchant.uuid}
            checked={catalogue.merchant_uuids.includes(merchant.uuid)}
            onChange={(isShared) => void change(merchant.uuid, isShared)}
          >
            {merchant.legal_dba}
          </Checkbox>
        ))}
      </fieldset>
    </section>
  )
}
