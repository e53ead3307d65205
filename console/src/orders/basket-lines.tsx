import type { Order } from '../api/orders.ts'
import { money } from '../lib/format.ts'
import { type BasketLine, removeFromBasket, setQuantity } from './basket-store.ts'

/** The lines with what they cost, as the dry run says. */
export function BasketLines(props: { lines: BasketLine[]; checked: Order | undefined }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key
    <section class="wide-scroll" tabIndex={0} aria-label="Lines of the basket">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Pieces</th>
            <th scope="col" class="number">
              Each
            </th>
            <th scope="col" class="number">
              Sum
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
    </section>
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
          aria-label={`Pieces of ${line.sku}`}
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
