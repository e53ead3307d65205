import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { plural } from '../lib/format.ts'
import { ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { listWatched, unwatchStone, watchStones } from './requests.ts'

/** Watches a stone, or ends that. */
export function WatchButton({ sku }: { sku: string }) {
  const reading = useRead(`watched ${sku}`, (signal) =>
    listWatched({ limit: 1, offset: 0, sku }, signal),
  )
  const action = useAction()
  if (isCustomerView || !mayDo('orders:write')) return null
  const isWatched = (reading.value?.total ?? 0) > 0
  const press = () =>
    action.run(async () => {
      if (isWatched) await unwatchStone(sku)
      else await watchStones([sku])
      showToast(isWatched ? t('No longer on your watch list.') : t('On your watch list.'))
      reading.reload()
    })
  return (
    <>
      <button
        type="button"
        class="button is-small"
        aria-pressed={isWatched}
        disabled={action.busy || !reading.value}
        onClick={() => void press()}
      >
        {isWatched ? t('✓ Watching') : t('Watch')}
      </button>
      <ProblemNote problem={action.problem} />
    </>
  )
}

/** Watches the stones that are selected in a table. */
export function WatchAllButton({ skus }: { skus: readonly string[] }) {
  const action = useAction()
  if (!mayDo('orders:write')) return null
  const press = () =>
    action.run(async () => {
      await watchStones(skus)
      showToast(t('{stones} on your watch list.', { stones: plural(skus.length, 'stone') }))
    })
  return (
    <>
      <button
        type="button"
        class="button is-small"
        disabled={action.busy}
        onClick={() => void press()}
      >
        {t('Watch')}
      </button>
      <ProblemNote problem={action.problem} />
    </>
  )
}
