const STORED_AS = 'pavilion-customer-view'

/**
 * Whether a customer looks at the screen: no page shows what the merchant pays. It holds for this
 * tab; constants of modules depend on it, so changing it loads the page again.
 */
export const isCustomerView =
  globalThis.document !== undefined && window.sessionStorage.getItem(STORED_AS) === 'yes'

export function switchCustomerView(): void {
  window.sessionStorage.setItem(STORED_AS, isCustomerView ? 'no' : 'yes')
  window.location.reload()
}

/** Pages that a customer may see; all others are about what the merchant pays. */
const PAGES = /^\/(search|find|stones|compare|curated|gemstones|jewelry|sign-in)?(\/|$)/

export function mayCustomerSee(path: string): boolean {
  return PAGES.test(path)
}
