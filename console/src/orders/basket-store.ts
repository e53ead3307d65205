import { createOwnStore } from '../api/own-store.ts'

export interface BasketLine {
  sku: string
  quantity: number
}

/** The items to order, which belong to the person who chose them. */
export const basket = createOwnStore<BasketLine[]>('basket', [])

export function inBasket(sku: string): boolean {
  return basket.get().some((line) => line.sku === sku)
}

export function addToBasket(line: BasketLine): void {
  basket.set([...basket.get().filter(({ sku }) => sku !== line.sku), line])
}

export function removeFromBasket(sku: string): void {
  basket.set(basket.get().filter((line) => line.sku !== sku))
}

export function replaceInBasket(sku: string, replacement: string): void {
  const line = { sku: replacement, quantity: 1 }
  basket.set(basket.get().map((each) => (each.sku === sku ? line : each)))
}

export function setQuantity(sku: string, quantity: number): void {
  basket.set(basket.get().map((line) => (line.sku === sku ? { sku, quantity } : line)))
}
