import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { addSource, changeSource, type Source } from '../../api/operator/sources.ts'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/fields.tsx'
import { TextArea } from '../../parts/text-area.tsx'
import { wrongJson } from './settings-draft.ts'
import { changeOf, draftOfSource, newSourceOf, type SourceDraft } from './source-draft.ts'

const MODES = [
  ['update', t('Update: stones that are not in the file stay')],
  ['replace', t('Replace: stones that are not in the file leave the market')],
] as const

/** Adds a source, or changes one. Secrets are sent and never shown again. */
export function SourceDialog(props: {
  supplier: string
  source?: Source
  onClose: () => void
  onDone: () => void
}) {
  const { supplier, source, onClose, onDone } = props
  const [draft, setDraft] = useState(draftOfSource(source))
  const action = useAction()
  const set = (change: Partial<SourceDraft>) => setDraft({ ...draft, ...change })
  const submit = (event: Event) => {
    event.preventDefault()
    if (wrongJson(draft.mapping)) return
    void action.run(async () => {
      if (!source) await addSource(newSourceOf(supplier, draft))
      else {
        const change = changeOf(source, draft)
        if (Object.keys(change).length > 0) await changeSource(source.uuid, change)
      }
      onDone()
    })
  }
  const title = source ? t('Change source') : t('Add source')
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <PlaceFields draft={draft} onChange={set} problem={action.problem} />
        <SignInFields source={source} draft={draft} onChange={set} problem={action.problem} />
        <details>
          <summary>{t('Reading the file')}</summary>
          <div class="stack" style={{ marginTop: '10px' }}>
            <TextField
              label={t('Only this sheet of a workbook')}
              name="sheet"
              problem={action.problem}
              value={draft.sheet}
              onInput={(sheet) => set({ sheet })}
            />
            <TextArea
              label={t('Columns and their fields, as JSON')}
              name="mapping"
              problem={action.problem}
              isCode
              error={wrongJson(draft.mapping) ? t('This is not JSON.') : undefined}
              value={draft.mapping}
              onInput={(mapping) => set({ mapping })}
            />
          </div>
        </details>
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {source ? t('Save') : t('Add source')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface PartProps {
  draft: SourceDraft
  onChange: (change: Partial<SourceDraft>) => void
  problem: ReturnType<typeof useAction>['problem']
}

function PlaceFields({ draft, onChange, problem }: PartProps) {
  return (
    <>
      <TextField
        label={t('Address: https, sftp, ftps, ftp or http; a folder or *.csv: the newest file')}
        name="url"
        problem={problem}
        required
        placeholder="sftp://feeds.example/out/*.csv"
        value={draft.url}
        onInput={(url) => onChange({ url })}
      />
      <TextField
        label={t('How often: 15m, 2h, 1d')}
        name="every"
        problem={problem}
        required
        value={draft.every}
        onInput={(every) => onChange({ every })}
      />
      <SelectField
        label={t('Mode')}
        value={draft.mode}
        options={MODES}
        onChange={(mode) => onChange({ mode })}
      />
    </>
  )
}

function SignInFields(props: PartProps & { source: Source | undefined }) {
  const { source, draft, onChange, problem } = props
  return (
    <>
      <TextField
        label={t('User')}
        name="user"
        problem={problem}
        autocomplete="off"
        value={draft.user}
        onInput={(user) => onChange({ user })}
      />
      <TextField
        label={source?.has_password ? t('New password; empty keeps the stored one') : t('Password')}
        name="password"
        problem={problem}
        type="password"
        autocomplete="new-password"
        value={draft.password}
        onInput={(password) => onChange({ password })}
      />
      {source?.has_password && (
        <Checkbox
          checked={draft.forgetsPassword}
          onChange={(forgetsPassword) => onChange({ forgetsPassword })}
        >
          {t('Forget the stored password')}
        </Checkbox>
      )}
      <TextArea
        label={
          source?.has_key
            ? t('New private key; empty keeps the stored one')
            : t('Private key (sftp)')
        }
        name="key"
        problem={problem}
        isCode
        rows={2}
        value={draft.key}
        onInput={(key) => onChange({ key })}
      />
      {source?.has_key && (
        <Checkbox checked={draft.forgetsKey} onChange={(forgetsKey) => onChange({ forgetsKey })}>
          {t('Forget the stored key')}
        </Checkbox>
      )}
      <TextField
        label={t('Fingerprint of the server; a failed run names the one it saw')}
        name="host_key"
        problem={problem}
        placeholder="SHA256:…"
        value={draft.host_key}
        onInput={(host_key) => onChange({ host_key })}
      />
    </>
  )
}
