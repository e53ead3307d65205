import type { Gem } from '../api/gems.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { useStore } from '../lib/store.ts'
import { addToBasket, basket, inBasket, removeFromBasket } from '../orders/basket-store.ts'
import { showToast } from '../parts/toast.tsx'
import { COMPARED_MAX, compared, toggleCompared } from './compare-store.ts'

/** Adds a stone to the basket, or removes it. */
export function BasketButton(props: { gem: Gem; size?: 'large' | 'short' }) {
  const { gem, size } = props
  useStore(basket)
  if (isCustomerView || !mayDo('orders:write')) return null
  const isIn = inBasket(gem.sku)
  const press = () => {
    if (isIn) removeFromBasket(gem.sku)
    else {
      addToBasket({ sku: gem.sku, quantity: 1 })
      showToast(t('Added to the basket.'))
    }
  }
  return (
    <button
      type="button"
      class={`button ${size === 'large' ? 'is-main' : 'is-small'}`}
      aria-pressed={isIn}
      onClick={press}
    >
      {size === 'short' ? (isIn ? '✓' : t('Add')) : isIn ? t('✓ In basket') : t('Add to basket')}
      <span class="visually-hidden"> {gem.sku}</span>
    </button>
  )
}

/** Adds a stone to the comparison, or removes it. */
export function CompareButton({ gem }: { gem: Gem }) {
  const chosen = useStore(compared)
  const isIn = chosen.includes(gem.sku)
  const isFull = !isIn && chosen.length >= COMPARED_MAX
  return (
    <button
      type="button"
      class="button is-small is-quiet"
      aria-pressed={isIn}
      disabled={isFull}
      title={isFull ? t('You can compare up to four stones') : undefined}
      onClick={() => toggleCompared(gem.sku)}
    >
      {isIn ? t('✓ Comparing') : t('Compare')}
      <span class="visually-hidden"> {gem.sku}</span>
    </button>
  )
}
