import { useState } from 'preact/hooks'
import { CLARITIES, COLORS } from '../../../src/reference/attributes.ts'
import { type Parcel, readParcels } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { capitalize, count, decimal, humanize, money, plural } from '../lib/format.ts'
import { numberIn, numberText } from '../lib/numbers.ts'
import { go, useLocation, withParams } from '../lib/router.ts'
import { addToBasket } from '../orders/basket-store.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { ShapePicker } from '../parts/shape-picker.tsx'
import { showToast } from '../parts/toast.tsx'
import { valueLabel } from '../stones/labels.ts'

const SHAPES = [
  'round',
  'princess',
  'baguette',
  'tapered_baguette',
  'marquise',
  'pear',
  'oval',
  'emerald',
  'asscher',
]

/** Melee by the parcel: a row for each size, a column for each quality. */
export function ParcelsPage() {
  const { params } = useLocation()
  const shape = params.get('shape') ?? 'round'
  const type = params.get('type') ?? 'mined'
  const [chosen, setChosen] = useState<{ parcel: Parcel; size: string }>()
  const reading = useRead(`${shape} ${type}`, (signal) => readParcels({ shape, type }, signal))
  const cuts = Object.entries(reading.value?.filters[shape] ?? {})
  return (
    <>
      <div class="page-head">
        <h1>{t('Parcels')}</h1>
        <p class="page-lead">
          {t('Melee by size and quality. Your prices, in US dollars per carat.')}
        </p>
      </div>
      <section class="panel stack" aria-label={t('Search criteria')}>
        <ShapePicker
          single
          shapes={SHAPES}
          chosen={[shape]}
          onChange={([next]) => go(withParams({ shape: next }))}
        />
        <div class="form">
          <SelectField
            label={t('Origin')}
            value={type}
            options={[
              ['mined', valueLabel('mined')],
              ['lab grown', valueLabel('lab grown')],
            ]}
            onChange={(next) => go(withParams({ type: next }))}
          />
        </div>
      </section>
      <div style={{ marginTop: '20px' }} aria-busy={reading.loading}>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading />}
        {reading.value && cuts.length === 0 && (
          <Empty title={t('No parcels of this shape in stock')} />
        )}
        {cuts.map(([cut, types]) => (
          <ParcelGrid
            key={cut}
            title={`${capitalize(humanize(shape))}, ${humanize(cut)}`}
            sizes={types[type] ?? {}}
            onChoose={(parcel, size) => setChosen({ parcel, size })}
          />
        ))}
      </div>
      {chosen && <ParcelDialog {...chosen} shape={shape} onClose={() => setChosen(undefined)} />}
    </>
  )
}

function ParcelGrid(props: {
  title: string
  sizes: Record<string, Record<string, Parcel>>
  onChoose: (parcel: Parcel, size: string) => void
}) {
  const sizes = Object.entries(props.sizes).sort(
    ([a], [b]) => Number.parseFloat(a) - Number.parseFloat(b),
  )
  const qualities = inTradeOrder(sizes.flatMap(([, row]) => Object.keys(row)))
  return (
    <ScrollArea label={props.title}>
      <h2>{props.title}</h2>
      <table class="parcel-grid">
        <thead>
          <tr>
            <th scope="col">mm</th>
            {qualities.map((quality) => (
              <th key={quality} scope="col" class="number">
                {quality}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sizes.map(([size, row]) => (
            <tr key={size}>
              <th scope="row">{sizeText(size)}</th>
              {qualities.map((quality) => (
                <td key={quality}>
                  {row[quality] && (
                    <button
                      type="button"
                      class="parcel-cell"
                      onClick={() => props.onChoose(row[quality], size)}
                    >
                      <span>{money(row[quality].wholesale_price_per_ct, 'USD')}</span>
                      <small>{t('{count} pcs', { count: count(row[quality].quantity) })}</small>
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** A size as the server writes it, with the reader's decimal mark. */
function sizeText(size: string): string {
  return size.replaceAll('.', numberText(0.5).charAt(1))
}

/** Qualities such as `D-F/VVS1-VS2`: the best color first, then the best clarity. */
function inTradeOrder(qualities: string[]): string[] {
  const rank = (scale: readonly string[], grade: string) => {
    const at = scale.findIndex((each) => grade.toUpperCase().startsWith(each))
    return at < 0 ? scale.length : at
  }
  const ranks = (quality: string) => {
    const [color, clarity = ''] = quality.split('/')
    return [rank(COLORS, color), rank(CLARITIES, clarity.split('-')[0])] as const
  }
  return [...new Set(qualities)].sort((a, b) => {
    const [[colorA, clarityA], [colorB, clarityB]] = [ranks(a), ranks(b)]
    return colorA - colorB || clarityA - clarityB || a.localeCompare(b)
  })
}

function ParcelDialog(props: { parcel: Parcel; size: string; shape: string; onClose: () => void }) {
  const { parcel, size, shape, onClose } = props
  const [pieces, setPieces] = useState('10')
  const quantity = Math.floor(numberIn(pieces))
  const fits = quantity >= 1 && quantity <= parcel.quantity
  const weight = parcel.weight * (fits ? quantity : 0)
  const price = weight * parcel.wholesale_price_per_ct
  const submit = (event: Event) => {
    event.preventDefault()
    if (!fits || !mayDo('orders:write')) return
    addToBasket({ sku: parcel.sku, quantity })
    showToast(t('{stones} in the basket.', { stones: plural(quantity, 'stone') }))
    onClose()
  }
  return (
    <Dialog
      title={`${capitalize(humanize(shape))} ${sizeText(size)} mm, ${parcel.quality}`}
      onClose={onClose}
    >
      <form class="stack" onSubmit={submit}>
        <p class="muted">
          {t('{count} in stock, {weight} ct each, delivery in {from} to {to} days.', {
            count: count(parcel.quantity),
            weight: decimal(parcel.weight, 4),
            from: parcel.delivery_days_min ?? '–',
            to: parcel.delivery_days_max ?? '–',
          })}
        </p>
        <TextField label={t('Pieces')} inputMode="numeric" value={pieces} onInput={setPieces} />
        <p aria-live="polite">
          {fits
            ? t('{weight} ct, about {price}', {
                weight: decimal(weight, 3),
                price: money(price, 'USD'),
              })
            : t('Choose 1 to {count} pieces.', { count: count(parcel.quantity) })}
        </p>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          {mayDo('orders:write') && (
            <button type="submit" class="button is-main" disabled={!fits}>
              {t('Add to basket')}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
