import { useAction, useRead } from '../../api/hooks.ts'
import { listPriceGrids, loadPriceGrid, type PriceGrid } from '../../api/operator/seller.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { count, date, dateTime, plural } from '../../lib/format.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Loading, ProblemNote, Spinner } from '../../parts/feedback.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { showToast } from '../../parts/toast.tsx'

/** Sheets of reference prices: the list prices of stones whose files name none. */
export function PriceGrids() {
  const reading = useRead('price grids', (signal) => listPriceGrids(signal))
  const action = useAction()
  const load = (input: HTMLInputElement) => {
    const file = input.files?.[0]
    input.value = ''
    if (!file) return
    void action.run(async () => {
      if (!(await isLoadMeant(file))) return
      const { changed } = await loadPriceGrid(file)
      showToast(t('Loaded. New list price: {stones}.', { stones: plural(changed, 'stone') }))
      reading.reload()
    })
  }
  const grids = reading.value
  return (
    <section class="panel stack" aria-labelledby="price-grids">
      <div>
        <h2 id="price-grids">{t('Price grids')}</h2>
        <p class="muted small">
          {t('List prices of natural diamonds whose files name none, in dollars per carat.')}
        </p>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!grids && !reading.problem && <Loading rows={2} />}
      {grids?.length === 0 && <p class="muted">{t('No price grid is loaded.')}</p>}
      {grids && grids.length > 0 && <GridTable grids={grids} />}
      {mayDo('inventory') && (
        <label class="field">
          <span>{t('CSV without a header: shape, clarity, color, from, to, price, date')}</span>
          <input
            class="input"
            type="file"
            accept=".csv,text/csv"
            disabled={action.busy}
            onChange={(event) => load(event.currentTarget)}
          />
        </label>
      )}
      {action.busy && (
        <p class="row" role="status">
          <Spinner /> {t('The list prices are computed …')}
        </p>
      )}
    </section>
  )
}

function isLoadMeant({ name }: File): Promise<boolean> {
  return confirmed({
    title: t('Load {name}?', { name }),
    text: t('Stones without a list price of their own get the one of this file at once.'),
    action: t('Load'),
  })
}

function GridTable({ grids }: { grids: PriceGrid[] }) {
  return (
    <ScrollArea label={t('All price grids')} class="wide-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Dated')}</th>
            <th scope="col">{t('Shapes')}</th>
            <th scope="col" class="number">
              {t('Prices')}
            </th>
            <th scope="col">{t('File')}</th>
            <th scope="col">{t('Loaded')}</th>
            <th scope="col">{t('State')}</th>
          </tr>
        </thead>
        <tbody>
          {grids.map((grid) => (
            <tr key={grid.uuid}>
              <td>{date(grid.dated_on)}</td>
              <td>{grid.shape === 'BR' ? t('Round') : t('All others')}</td>
              <td class="number">{count(grid.rows)}</td>
              <td>{grid.file_name}</td>
              <td>{dateTime(grid.loaded_on)}</td>
              <td>
                <GridState grid={grid} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function GridState({ grid: { in_force, applied_on } }: { grid: PriceGrid }) {
  if (!in_force) return <span class="tag">{t('replaced')}</span>
  if (applied_on === null) return <span class="tag is-accent">{t('being computed')}</span>
  return <span class="tag is-good">{t('in force')}</span>
}
