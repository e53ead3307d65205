import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { createCatalogue, listCatalogues } from '../../api/operator/catalogues.ts'
import { ImportsHead } from '../../imports/head.tsx'
import { t } from '../../language/language.ts'
import { count, date } from '../../lib/format.ts'
import { go } from '../../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'

/** Catalogues decide which merchants see which jewelry. */
export function CataloguesPage() {
  const reading = useRead('catalogues', (signal) => listCatalogues(signal))
  return (
    <>
      <ImportsHead title={t('Catalogues')} />
      <div class="stack">
        <NewCatalogue />
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value?.length === 0 && <Empty title={t('No catalogues yet')} />}
        {reading.value && reading.value.length > 0 && (
          <ScrollArea label={t('Catalogues')}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('Name')}</th>
                  <th scope="col">{t('Seen by')}</th>
                  <th scope="col" class="number">
                    {t('Products')}
                  </th>
                  <th scope="col">{t('Changed')}</th>
                </tr>
              </thead>
              <tbody>
                {reading.value.map((catalogue) => (
                  <tr key={catalogue.uuid}>
                    <td>
                      <a href={`/operator/catalogues/${catalogue.uuid}`}>{catalogue.name}</a>
                    </td>
                    <td>{seenBy(catalogue)}</td>
                    <td class="number">{count(catalogue.product_count)}</td>
                    <td>{date(catalogue.updated_on)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollArea>
        )}
      </div>
    </>
  )
}

/** Who sees a catalogue: everybody, or the merchants that it is shared with. */
export function seenBy(catalogue: {
  published: boolean
  public: boolean
  merchant_uuids: string[]
}): string {
  if (catalogue.published && catalogue.public) return t('all merchants')
  const shared = catalogue.merchant_uuids.length
  return shared === 0 ? t('nobody') : t('{count} merchants', { count: count(shared) })
}

function NewCatalogue() {
  const [name, setName] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const { uuid } = await createCatalogue({ name: name.trim() })
      go(`/operator/catalogues/${uuid}`)
    })
  }
  return (
    <form class="form" onSubmit={submit}>
      <TextField
        label={t('Name of a new catalogue')}
        name="name"
        required
        problem={action.problem}
        value={name}
        onInput={setName}
      />
      <button type="submit" class="button" disabled={action.busy || name.trim() === ''}>
        {t('Create catalogue')}
      </button>
      <ProblemNote problem={action.problem} />
    </form>
  )
}
