import type { Order } from '../api/orders.ts'
import { money } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { type BasketLine, removeFromBasket, setQuantity } from './basket-store.ts'

/** The items of the basket with their prices, as the dry run returned them. */
export function BasketLines(props: { lines: BasketLine[]; checked: Order | undefined }) {
  return (
    <ScrollArea class="wide-scroll" label="Basket items">
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Quantity</th>
            <th scope="col" class="number">
              Unit price
            </th>
            <th scope="col" class="number">
              Total
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {props.lines.map((line) => (
            <BasketRow key={line.sku} line={line} checked={props.checked} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function BasketRow({ line, checked }: { line: BasketLine; checked: Order | undefined }) {
  const item = checked?.line_items.find(({ sku }) => sku === line.sku)
  return (
    <tr>
      <td>
        <a href={`/stones/${line.sku}`}>{item?.description || item?.name || line.sku}</a>
        <div class="muted small mono">{line.sku}</div>
      </td>
      <td>
        <input
          class="input"
          type="number"
          min="1"
          style={{ width: '84px' }}
          aria-label={`Quantity of ${line.sku}`}
          value={line.quantity}
          onChange={(event) => {
            const quantity = Math.floor(Number(event.currentTarget.value))
            if (quantity >= 1) setQuantity(line.sku, quantity)
          }}
        />
      </td>
      <td class="number">{item ? money(item.price, 'USD') : '–'}</td>
      <td class="number">{item ? money(item.price * item.quantity, 'USD') : '–'}</td>
      <td>
        <button
          type="button"
          class="button is-small is-quiet"
          onClick={() => removeFromBasket(line.sku)}
        >
          Remove<span class="visually-hidden"> {line.sku}</span>
        </button>
      </td>
    </tr>
  )
}
