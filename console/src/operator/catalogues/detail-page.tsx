import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  type Catalogue,
  changeCatalogue,
  changeProducts,
  findProducts,
  readCatalogue,
} from '../../api/operator/catalogues.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, PageProblem, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'
import { seenBy } from './list-page.tsx'
import { CatalogueShares } from './shares.tsx'

/** One catalogue: its name and publication, its products, and the merchants who see it. */
export function CataloguePage({ uuid }: { uuid: string }) {
  const reading = useRead(uuid, (signal) => readCatalogue(uuid, signal))
  const catalogue = reading.value
  if (!catalogue) {
    if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
    return (
      <>
        <h1>{t('Catalogue')}</h1>
        <Loading />
      </>
    )
  }
  return (
    <>
      <div class="page-head">
        <h1>{catalogue.name}</h1>
        <span class="muted">{plural(catalogue.product_count, 'product')}</span>
        <p class="page-lead">{t('Seen by: {who}', { who: seenBy(catalogue) })}</p>
      </div>
      <div class="columns">
        <div class="stack">
          <CatalogueForm
            key={JSON.stringify(factsOf(catalogue))}
            catalogue={catalogue}
            onSaved={reading.reload}
          />
          {mayDo('inventory') && (
            <CatalogueProducts catalogue={catalogue} onChanged={reading.reload} />
          )}
        </div>
        <CatalogueShares catalogue={catalogue} onChanged={reading.reload} />
      </div>
    </>
  )
}

/** What the form shows: sharing the catalogue must not empty what is typed here. */
function factsOf({ name, published, public: isPublic }: Catalogue) {
  return { name, published, public: isPublic }
}

function CatalogueForm({ catalogue, onSaved }: { catalogue: Catalogue; onSaved: () => void }) {
  const [draft, setDraft] = useState(factsOf(catalogue))
  const action = useAction()
  useUnsaved(JSON.stringify(draft) !== JSON.stringify(factsOf(catalogue)))
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await changeCatalogue(catalogue.uuid, draft)
      showToast(t('Saved.'))
      onSaved()
    })
  }
  return (
    <section class="panel" aria-label={t('Catalogue')}>
      <form onSubmit={submit}>
        <fieldset class="stack" disabled={!mayDo('inventory')}>
          <TextField
            label={t('Name')}
            name="name"
            required
            problem={action.problem}
            value={draft.name}
            onInput={(text) => setDraft({ ...draft, name: text })}
          />
          <Checkbox
            checked={draft.published}
            onChange={(on) => setDraft({ ...draft, published: on })}
          >
            {t('Published')}
          </Checkbox>
          <Checkbox checked={draft.public} onChange={(on) => setDraft({ ...draft, public: on })}>
            {t('Meant for every merchant')}
          </Checkbox>
          <ProblemNote problem={action.problem} />
          {mayDo('inventory') && (
            <div>
              <button type="submit" class="button is-main" disabled={action.busy}>
                {t('Save')}
              </button>
            </div>
          )}
        </fieldset>
      </form>
    </section>
  )
}

/** Adds and removes products that a search finds by their words or SKUs. */
function CatalogueProducts(props: { catalogue: Catalogue; onChanged: () => void }) {
  const [words, setWords] = useState('')
  const [found, setFound] = useState<string[]>()
  const action = useAction()
  const find = (event: Event) => {
    event.preventDefault()
    void action.run(async () => setFound(await findProducts(words.trim())))
  }
  const change = (isAdding: boolean) =>
    action.run(async () => {
      const products = plural(found?.length ?? 0, 'product')
      const question = isAdding
        ? { title: t('Add {products}?', { products }), action: t('Add') }
        : { title: t('Remove {products}?', { products }), action: t('Remove'), isDanger: true }
      const text = t('Merchants who see the catalogue see the change at once.')
      if (!(await confirmed({ ...question, text }))) return
      await changeProducts(props.catalogue.uuid, isAdding ? { add: found } : { remove: found })
      showToast(t('Saved.'))
      setFound(undefined)
      props.onChanged()
    })
  return (
    <section class="panel stack" aria-label={t('Products')}>
      <h2>{t('Products')}</h2>
      <form class="form" onSubmit={find}>
        <TextField label={t('Words of the products, or a SKU')} value={words} onInput={setWords} />
        <button type="submit" class="button" disabled={action.busy || words.trim() === ''}>
          {t('Find')}
        </button>
      </form>
      {found && (
        <div class="row" role="status">
          <span>{t('Found: {products}', { products: plural(found.length, 'product') })}</span>
          <button
            type="button"
            class="button is-small"
            disabled={action.busy || found.length === 0}
            onClick={() => void change(true)}
          >
            {t('Add them')}
          </button>
          <button
            type="button"
            class="button is-small is-danger"
            disabled={action.busy || found.length === 0}
            onClick={() => void change(false)}
          >
            {t('Remove them')}
          </button>
        </div>
      )}
      <ProblemNote problem={action.problem} />
    </section>
  )
}
