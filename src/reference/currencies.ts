/** The codes of ISO 4217, as Node knows them. */
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}
