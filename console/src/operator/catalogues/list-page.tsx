import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import { createCatalogue, listCatalogues } from '../../api/operator/catalogues.ts'
import { mayDo } from '../../api/session-store.ts'
import { ImportsHead } from '../../imports/head.tsx'
import { t } from '../../language/language.ts'
import { count, date, plural } from '../../lib/format.ts'
import { go } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SelectAll, SelectRow } from '../../parts/table/selection.tsx'
import { SortHead } from '../../parts/table/sort.tsx'
import {
  ListNotes,
  ListTools,
  useWholeList,
  type WholeList,
} from '../../parts/table/whole-list.tsx'

/** Catalogues decide which merchants see which jewelry. */
export function CataloguesPage() {
  const reading = useRead('catalogues', (signal) => listCatalogues(signal))
  const list = useWholeList(reading.value, LIST)
  return (
    <>
      <ImportsHead title={t('Catalogues')} />
      <div class="stack">
        {mayDo('inventory') && <NewCatalogue />}
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value?.length === 0 && <Empty title={t('No catalogues yet')} />}
        <div class="row list-tools">
          <ListTools list={list} name={t('catalogues.csv')} />
        </div>
        <ListNotes list={list} />
        {list.rows.length > 0 && <CatalogueTable list={list} />}
      </div>
    </>
  )
}

type Catalogue = Awaited<ReturnType<typeof listCatalogues>>[number]

const VALUES = {
  name: ({ name }: Catalogue) => name,
  seen_by: seenBy,
  products: ({ product_count }: Catalogue) => product_count,
  changed: ({ updated_on }: Catalogue) => updated_on,
}
const COLUMNS: readonly (readonly [string, (catalogue: Catalogue) => Cell])[] = [
  [t('Name'), ({ name }) => name],
  [t('Seen by'), seenBy],
  [t('Products'), ({ product_count }) => product_count],
  [t('Changed'), ({ updated_on }) => updated_on],
]
const LIST = { idOf: ({ uuid }: Catalogue) => uuid, columns: COLUMNS, values: VALUES }

function CatalogueTable({ list: { rows, selection } }: { list: WholeList<Catalogue> }) {
  return (
    <ScrollArea label={t('Catalogues')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={rows} />
            <SortHead by="name">{t('Name')}</SortHead>
            <SortHead by="seen_by">{t('Seen by')}</SortHead>
            <SortHead by="products" first="desc" class="number">
              {t('Products')}
            </SortHead>
            <SortHead by="changed" first="desc">
              {t('Changed')}
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((catalogue) => (
            <tr key={catalogue.uuid}>
              <SelectRow selection={selection} row={catalogue} name={catalogue.name} />
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
  return shared === 0 ? t('nobody') : plural(shared, 'merchant')
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
