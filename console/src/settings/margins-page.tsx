import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import { readSession } from '../api/session.ts'
import { mayDo, session } from '../api/session-store.ts'
import {
  listDefaultMargins,
  listMargins,
  type MarginDraft,
  type MarginPreview,
  previewMargins,
  replaceMargins,
} from '../api/settings.ts'
import { t } from '../language/language.ts'
import { count, percent } from '../lib/format.ts'
import { useUnsaved } from '../lib/unsaved.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField } from '../parts/fields.tsx'
import { showToast } from '../parts/toast.tsx'
import { SettingsHead } from './head.tsx'
import { MarginPlot } from './margin-plot.tsx'
import { draftText, readDraft, type TierText } from './margin-tiers.ts'
import { TierTable } from './tier-table.tsx'

/** The merchant's margins. A change is previewed before it is saved. */
export function MarginsPage() {
  const reading = useRead('margins', async (signal) => {
    const profit_margins = await listMargins(signal)
    const defaults = await listDefaultMargins(signal)
    return { own: profit_margins, defaults }
  })
  return (
    <>
      <SettingsHead />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && (
        <MarginEditor
          key={JSON.stringify(reading.value.own)}
          before={draftText(reading.value.own, reading.value.defaults)}
          isOwn={reading.value.own.length > 0}
          onSaved={reading.reload}
        />
      )}
    </>
  )
}

/** Without tiers of its own a merchant has the default ones. */
const DEFAULT_TIERS: MarginDraft = { mode: 'weight', product_type: 'diamond', tiers: [] }

/** What a table begins with whose base was not used so far. */
const NEW_TIERS: Record<MarginDraft['mode'], TierText[]> = {
  weight: [{ min: '0', max: '30', mined_percent: '30', lab_percent: '45' }],
  price: [{ min: '0', max: '1000000', mined_percent: '30', lab_percent: '45' }],
}

function MarginEditor(props: { before: TierText[]; isOwn: boolean; onSaved: () => void }) {
  const mode = props.isOwn ? (session.get()?.merchant?.margin_mode ?? 'weight') : 'weight'
  const [draftMode, setDraftMode] = useState<MarginDraft['mode']>(mode)
  const [drafts, setDrafts] = useState({ ...NEW_TIERS, [mode]: props.before })
  const tiers = drafts[draftMode]
  const setTiers = (next: TierText[]) => setDrafts({ ...drafts, [draftMode]: next })
  const action = useAction()
  const before = readDraft(props.before, mode)
  const draft = readDraft(tiers, draftMode)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before)
  useUnsaved(isChanged)
  const preview = useRead(JSON.stringify(draft), async (signal) =>
    draft && isChanged ? previewMargins(draft, signal) : undefined,
  )
  const discard = () => {
    setDrafts({ ...NEW_TIERS, [mode]: props.before })
    setDraftMode(mode)
  }
  const save = (margins: MarginDraft) =>
    action.run(async () => {
      await replaceMargins(margins)
      await readSession()
      showToast(t('Your new margins are now in effect.'))
      props.onSaved()
    })
  return (
    <div class="columns">
      <section class="panel stack" aria-label={t('Your tiers')}>
        <div class="panel-head">
          <h2>{props.isOwn ? t('Your tiers') : t('Default tiers')}</h2>
        </div>
        <fieldset class="stack" disabled={!mayDo('settings:write')}>
          <BaseField mode={draftMode} onChange={setDraftMode} />
          {draftMode !== mode && <OtherBaseNote mode={mode} />}
          <TierTable
            tiers={tiers}
            unit={draftMode === 'weight' ? 'ct' : 'USD'}
            onChange={setTiers}
          />
        </fieldset>
        {draft ? (
          <ProblemNote problem={action.problem ?? preview.problem} />
        ) : (
          <p class="note is-bad" role="alert">
            {t('Please correct the marked fields: each is a number of at least 0.')}
          </p>
        )}
        <EditorButtons
          draft={draft}
          isChanged={isChanged}
          isOwn={props.isOwn}
          busy={action.busy}
          onSave={save}
          onDiscard={discard}
        />
      </section>
      <section class="panel stack" aria-label={t('Before and after')}>
        <h2>{t('Before and after')}</h2>
        <MarginPlot before={before} after={draft} mode={draftMode} />
        <PreviewText preview={isChanged ? preview.value : undefined} />
      </section>
    </div>
  )
}

function EditorButtons(props: {
  draft: MarginDraft | undefined
  isChanged: boolean
  isOwn: boolean
  busy: boolean
  onSave: (margins: MarginDraft) => Promise<void>
  onDiscard: () => void
}) {
  const { draft, isChanged, onSave } = props
  if (!mayDo('settings:write')) return null
  return (
    <div class="row">
      <button
        type="button"
        class="button is-main"
        disabled={!draft || !isChanged || props.busy}
        onClick={() => draft && void onSave(draft)}
      >
        {t('Save')}
      </button>
      <button type="button" class="button" disabled={!isChanged} onClick={props.onDiscard}>
        {t('Discard changes')}
      </button>
      {props.isOwn && (
        <button type="button" class="button is-quiet" onClick={() => void restoreDefaults(onSave)}>
          {t('Restore default tiers')}
        </button>
      )}
    </div>
  )
}

async function restoreDefaults(save: (margins: MarginDraft) => Promise<void>): Promise<void> {
  const title = t('Restore the default tiers?')
  const text = t('Your own tiers are deleted, and your retail prices change at once.')
  const question = { title, text, action: t('Restore'), isDanger: true }
  if (await confirmed(question)) await save(DEFAULT_TIERS)
}

function BaseField(props: {
  mode: MarginDraft['mode']
  onChange: (mode: MarginDraft['mode']) => void
}) {
  return (
    <SelectField
      label={t('Tiers based on')}
      value={props.mode}
      options={[
        ['weight', t('Weight in carats')],
        ['price', t('Wholesale price in US dollars')],
      ]}
      onChange={props.onChange}
    />
  )
}

function OtherBaseNote({ mode }: { mode: MarginDraft['mode'] }) {
  return (
    <p class="note is-warn">
      {t('These tiers are new: carats and dollars cannot be converted into each other.')}{' '}
      {mode === 'weight'
        ? t('Check them before you save; your tiers by weight are then replaced.')
        : t('Check them before you save; your tiers by price are then replaced.')}
    </p>
  )
}

function PreviewText({ preview }: { preview: MarginPreview | undefined }) {
  if (!preview) {
    return <p class="muted">{t('Change a tier to see its effect on your prices.')}</p>
  }
  const median = preview.median_change_percent
  return (
    <dl class="facts" aria-live="polite">
      <div>
        <dt>{t('Higher price')}</dt>
        <dd>{percent(preview.share_up * 100)}</dd>
      </div>
      <div>
        <dt>{t('Lower price')}</dt>
        <dd>{percent(preview.share_down * 100)}</dd>
      </div>
      <div>
        <dt>{t('Unchanged')}</dt>
        <dd>{percent(preview.share_same * 100)}</dd>
      </div>
      <div>
        <dt>{t('Median change')}</dt>
        <dd>{percent(median, 2)}</dd>
      </div>
      <div>
        <dt>{t('Stones compared')}</dt>
        <dd>{count(preview.stones)}</dd>
      </div>
    </dl>
  )
}
