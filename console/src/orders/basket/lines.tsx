import type { LineItem, Order } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { money } from '../../lib/format.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { BothCurrencies, useOwnRate } from '../../stones/own-rate.tsx'
import { type BasketLine, removeFromBasket, setQuantity } from '../basket-store.ts'
import { Goods } from '../goods.tsx'
import { productHref } from '../links.tsx'

/** The items of the basket with their prices, as the dry run returned them. */
export function BasketLines(props: { lines: BasketLine[]; checked: Order | undefined }) {
  const rate = useOwnRate()
  return (
    <ScrollArea class="wide-scroll" label={t('Basket items')} isStacked>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Item')}</th>
            <th scope="col">{t('Quantity')}</th>
            <th scope="col" class="number">
              {t('Unit price')}
            </th>
            <th scope="col" class="number">
              {t('Total')}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {props.lines.map((line) => (
            <BasketRow key={line.sku} line={line} checked={props.checked} rate={rate} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** Melee has no page of its own; its parcels do. */
function ItemName({ line, item }: { line: BasketLine; item: LineItem | undefined }) {
  if (!item) return <span class="mono">{line.sku}</span>
  const isMelee = item.product_type === 'gem' && item.product_data.fields.product_type === 'melee'
  const href = isMelee ? '/parcels' : productHref(item)
  if (!href) return <Goods line={item} />
  return (
    <a href={href}>
      <Goods line={item} />
    </a>
  )
}

function BasketRow(props: {
  line: BasketLine
  checked: Order | undefined
  rate: ReturnType<typeof useOwnRate>
}) {
  const { line, checked, rate } = props
  const item = checked?.line_items.find(({ sku }) => sku === line.sku)
  return (
    <tr>
      <td>
        <ItemName line={line} item={item} />
        <div class="muted small mono">{line.sku}</div>
      </td>
      <td>
        <input
          class="input"
          inputMode="numeric"
          style={{ width: '84px' }}
          aria-label={t('Quantity of {sku}', { sku: line.sku })}
          value={numberText(line.quantity)}
          onChange={(event) => {
            const quantity = Math.floor(numberIn(event.currentTarget.value))
            if (quantity >= 1) setQuantity(line.sku, quantity)
            else event.currentTarget.value = numberText(line.quantity)
          }}
        />
      </td>
      <td class="number">{item ? money(item.price, 'USD', 4) : '–'}</td>
      <td class="number">
        {item ? <BothCurrencies amount={item.price * item.quantity} rate={rate} /> : '–'}
      </td>
      <td>
        <button
          type="button"
          class="button is-small is-quiet"
          onClick={() => removeFromBasket(line.sku)}
        >
          {t('Remove')}
          <span class="visually-hidden"> {line.sku}</span>
        </button>
      </td>
    </tr>
  )
}
