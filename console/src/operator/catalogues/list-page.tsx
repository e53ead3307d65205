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
import { SortHead, useSorted } from '../../parts/table/sort.tsx'

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
        {reading.value && reading.value.length > 0 && <CatalogueTable catalogues={reading.value} />}
      </div>
    </>
  )
}

type Catalogue = Awaited<ReturnType<typeof listCatalogues>>[number]

const VALUES = {
  name: ({ name }: Catalogue) => name,
  products: ({ product_count }: Catalogue) => product_count,
  changed: ({ updated_on }: Catalogue) => updated_on,
}

function CatalogueTable(props: { catalogues: readonly Catalogue[] }) {
  const catalogues = useSorted(props.catalogues, VALUES)
  return (
    <ScrollArea label={t('Catalogues')}>
      <table>
        <thead>
          <tr>
            <SortHead by="name">{t('Name')}</SortHead>
            <th scope="col">{t('Seen by')}</th>
            <SortHead by="products" first="desc" class="number">
              {t('Products')}
            </SortHead>
            <SortHead by="changed" first="desc">
              {t('Changed')}
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {catalogues.map((catalogue) => (
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
