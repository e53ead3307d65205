import { createPersistentStore } from '../lib/store.ts'

export interface BasketLine {
  sku: string
  quantity: number
}

/** What shall be ordered. Kept for this tab, so that a reload loses nothing. */
export const basket = createPersistentStore<BasketLine[]>(
  window.sessionStorage,
  'pavilion-basket',
  [],
)

export function inBasket(sku: string): boolean {
  return basket.get().some((line) => line.sku === sku)
}

export function addToBasket(line: BasketLine): void {
  basket.set([...basket.get().filter(({ sku }) => sku !== line.sku), line])
}

export function removeFromBasket(sku: string): void {
  basket.set(basket.get().filter((line) => line.sku !== sku))
}

export function replaceInBasket(sku: string, by: string): void {
  basket.set(basket.get().map((line) => (line.sku === sku ? { sku: by, quantity: 1 } : line)))
}

export function setQuantity(sku: string, quantity: number): void {
  basket.set(basket.get().map((line) => (line.sku === sku ? { sku, quantity } : line)))
}

export function emptyBasket(): void {
  basket.set([])
}
