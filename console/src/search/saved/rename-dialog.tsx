import { useState } from 'preact/hooks'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { changeSavedSearch, type SavedSearch } from './requests.ts'

/** Another name changes nothing else. */
export function RenameDialog(props: {
  search: SavedSearch
  onDone: () => void
  onClose: () => void
}) {
  const { search, onDone, onClose } = props
  const [name, setName] = useState(search.name)
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await changeSavedSearch(search.uuid, { name: name.trim() })
      onDone()
      onClose()
    })
  }
  return (
    <Dialog title={t('Rename the search')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t('Name')}
          name="name"
          required
          value={name}
          onInput={setName}
          problem={action.problem}
        />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy || name.trim() === ''}>
            {t('Save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
