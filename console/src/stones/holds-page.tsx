import { type Gem, listStones } from '../api/gems.ts'
import { type Hold, listHolds, releaseHold } from '../api/holds.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { capitalize, dateTime, fromNow, money, plural } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { addToBasket } from '../orders/basket-store.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { BulkButton } from '../parts/table/bulk-button.tsx'
import { SelectAll, type Selection, SelectRow } from '../parts/table/selection.tsx'
import { SortHead } from '../parts/table/sort.tsx'
import { ListNotes, ListTools, useWholeList } from '../parts/table/whole-list.tsx'
import { showToast } from '../parts/toast.tsx'
import { gemName } from './labels.ts'
import { refreshOwnHolds } from './own-holds.ts'

interface HeldStone {
  hold: Hold
  gem: Gem | undefined
}

const COLUMNS: readonly (readonly [string, (stone: HeldStone) => Cell])[] = [
  [t('SKU'), ({ hold }) => hold.sku],
  [t('Stone'), ({ gem }) => gem && gemName(gem)],
  [t('Ends'), ({ hold }) => hold.expires_on],
  [t('Currency'), ({ gem }) => gem?.currency_code],
  [t('Wholesale'), ({ gem }) => gem?.wholesale_price],
]

/** The merchant's own holds. */
export function HoldsPage() {
  const action = useAction()
  const reading = useRead('holds', async (signal): Promise<HeldStone[]> => {
    const { holds } = await listHolds(signal)
    const gems = await listStones(
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
  const list = useWholeList(reading.value, LIST)
  const { rows: stones, selection } = list
  return (
    <>
      <div class="page-head">
        <h1>{t('Holds')}</h1>
        <div class="page-tools">
          <ListTools list={list} name={t('holds.csv')} />
        </div>
        <p class="page-lead">{t('While you hold a stone, nobody else can order it.')}</p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.length === 0 && <Empty title={t('You have no stones on hold')} />}
      <ListNotes list={list}>
        <BulkButton
          selection={selection}
          scope="inventory"
          rows={selection.rows}
          label={t('Release {stones}', { stones: plural(selection.rows.length, 'stone') })}
          text={t('Everybody can order them again.')}
          step={({ hold }) => releaseHold(hold.uuid)}
          onDone={() => {
            void refreshOwnHolds()
            reading.reload()
          }}
        />
      </ListNotes>
      {stones.length > 0 && (
        <HoldTable stones={stones} selection={selection} onRelease={(uuid) => void release(uuid)} />
      )}
    </>
  )
}

const VALUES = {
  stone: ({ gem }: HeldStone) => gem?.weight,
  ends: ({ hold }: HeldStone) => hold.expires_on,
  wholesale: ({ gem }: HeldStone) => gem?.wholesale_price,
}
const LIST = { idOf: ({ hold }: HeldStone) => hold.uuid, columns: COLUMNS, values: VALUES }

interface Held {
  selection: Selection<HeldStone>
  onRelease: (uuid: string) => void
}

function HoldTable(props: Held & { stones: readonly HeldStone[] }) {
  const { stones, selection, onRelease } = props
  return (
    <ScrollArea label={t('Your holds')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={stones} />
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
            <HoldRow
              key={stone.hold.uuid}
              stone={stone}
              selection={selection}
              onRelease={onRelease}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function HoldRow({ stone, selection, onRelease }: Held & { stone: HeldStone }) {
  const { hold, gem } = stone
  return (
    <tr>
      <SelectRow selection={selection} row={stone} name={hold.sku} />
      <td>
        <a href={`/stones/${hold.sku}`}>{gem ? capitalize(gemName(gem)) : hold.sku}</a>
      </td>
      <td>
        {fromNow(hold.expires_on)} <span class="muted small">{dateTime(hold.expires_on)}</span>
      </td>
      <td class="number">{gem ? money(gem.wholesale_price, gem.currency_code) : '–'}</td>
      <td>
        <div class="row">
          {mayDo('orders:write') && (
            <button
              type="button"
              class="button is-small"
              onClick={() => addToBasket({ sku: hold.sku, quantity: 1 })}
            >
              {t('Add to basket')}
              <span class="visually-hidden"> {hold.sku}</span>
            </button>
          )}
          {mayDo('inventory') && (
            <button
              type="button"
              class="button is-small is-quiet"
              onClick={() => onRelease(hold.uuid)}
            >
              {t('Release')}
              <span class="visually-hidden"> {hold.sku}</span>
            </button>
          )}
        </div>
      </td>
    </tr>
  )
}
