import { type Gem, listDiamonds } from '../api/gems.ts'
import { type Hold, listHolds, releaseHold } from '../api/holds.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { t } from '../language/language.ts'
import { capitalize, dateTime, fromNow, money } from '../lib/format.ts'
import { addToBasket } from '../orders/basket-store.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { SortHead, useSorted } from '../parts/table/sort.tsx'
import { showToast } from '../parts/toast.tsx'
import { gemName } from './labels.ts'
import { refreshOwnHolds } from './own-holds.ts'

interface HeldStone {
  hold: Hold
  gem: Gem | undefined
}

/** The merchant's own holds. */
export function HoldsPage() {
  const action = useAction()
  const reading = useRead('holds', async (signal): Promise<HeldStone[]> => {
    const { holds } = await listHolds(signal)
    const gems = await listDiamonds(
      holds.map(({ sku }) => sku),
      signal,
    )
    return holds.map((hold) => ({ hold, gem: gems.find(({ sku }) => sku === hold.sku) }))
  })
  const release = (uuid: string) =>
    action.run(async () => {
      await releaseHold(uuid)
      void refreshOwnHolds()
      showToast(t('The hold has been released.'))
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>{t('Holds')}</h1>
        <p class="page-lead">{t('While you hold a stone, nobody else can order it.')}</p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.length === 0 && <Empty title={t('You have no stones on hold')} />}
      {reading.value && reading.value.length > 0 && (
        <HoldTable stones={reading.value} onRelease={(uuid) => void release(uuid)} />
      )}
    </>
  )
}

const VALUES = {
  stone: ({ gem }: HeldStone) => gem?.weight,
  ends: ({ hold }: HeldStone) => hold.expires_on,
  wholesale: ({ gem }: HeldStone) => gem?.wholesale_price,
}

function HoldTable(props: { stones: HeldStone[]; onRelease: (uuid: string) => void }) {
  const stones = useSorted(props.stones, VALUES)
  return (
    <ScrollArea label={t('Your holds')}>
      <table>
        <thead>
          <tr>
            <SortHead by="stone" first="desc">
              {t('Stone')}
            </SortHead>
            <SortHead by="ends">{t('Ends')}</SortHead>
            <SortHead by="wholesale" first="desc" class="number">
              {t('Wholesale')}
            </SortHead>
            <td />
          </tr>
        </thead>
        <tbody>
          {stones.map((stone) => (
            <HoldRow key={stone.hold.uuid} {...stone} onRelease={props.onRelease} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function HoldRow({ hold, gem, onRelease }: HeldStone & { onRelease: (uuid: string) => void }) {
  return (
    <tr>
      <td>
        <a href={`/stones/${hold.sku}`}>{gem ? capitalize(gemName(gem)) : hold.sku}</a>
      </td>
      <td>
        {fromNow(hold.expires_on)} <span class="muted small">{dateTime(hold.expires_on)}</span>
      </td>
      <td class="number">{gem ? money(gem.wholesale_price, gem.currency_code) : '–'}</td>
      <td>
        <div class="row">
          <button
            type="button"
            class="button is-small"
            onClick={() => addToBasket({ sku: hold.sku, quantity: 1 })}
          >
            {t('Add to basket')}
            <span class="visually-hidden"> {hold.sku}</span>
          </button>
          <button
            type="button"
            class="button is-small is-quiet"
            onClick={() => onRelease(hold.uuid)}
          >
            {t('Release')}
            <span class="visually-hidden"> {hold.sku}</span>
          </button>
        </div>
      </td>
    </tr>
  )
}
