import { listDiamonds } from '../api/diamonds.ts'
import { gemName } from '../api/gem.ts'
import { listHolds, releaseHold } from '../api/holds.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { capitalize, carats, dateTime, fromNow, money } from '../lib/format.ts'
import { addToBasket } from '../orders/basket-store.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'

/** The stones that are kept back for the merchant. */
export function HoldsPage() {
  const action = useAction()
  const reading = useRead('holds', async (signal) => {
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
      showToast('The stone is free again.')
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>Holds</h1>
        <p class="page-lead">Nobody else can order a stone while you hold it.</p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value?.length === 0 && <Empty title="You hold no stone" />}
      {reading.value && reading.value.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key
        <section class="panel wide-scroll" tabIndex={0} aria-label="Your holds">
          <table>
            <thead>
              <tr>
                <th scope="col">Stone</th>
                <th scope="col">Until</th>
                <th scope="col" class="number">
                  Wholesale
                </th>
                <td />
              </tr>
            </thead>
            <tbody>
              {reading.value.map(({ hold, gem }) => (
                <tr key={hold.uuid}>
                  <td>
                    <a href={`/stones/${hold.sku}`}>
                      {gem ? capitalize(gemName(gem, carats(gem.weight))) : hold.sku}
                    </a>
                  </td>
                  <td>
                    {fromNow(hold.expires_on)}{' '}
                    <span class="muted small">{dateTime(hold.expires_on)}</span>
                  </td>
                  <td class="number">
                    {gem ? money(gem.wholesale_price, gem.currency_code) : '–'}
                  </td>
                  <td>
                    <div class="row">
                      <button
                        type="button"
                        class="button is-small"
                        onClick={() => addToBasket({ sku: hold.sku, quantity: 1 })}
                      >
                        Add to basket<span class="visually-hidden"> {hold.sku}</span>
                      </button>
                      <button
                        type="button"
                        class="button is-small is-quiet"
                        onClick={() => void release(hold.uuid)}
                      >
                        End hold<span class="visually-hidden"> {hold.sku}</span>
                      </button>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  )
}
