/**
 * Stones of the sandbox with which a client rehearses what rarely happens; docs/guides/sandbox.md
 * says what each of them does. Orders never use them up.
 */
export const SCENARIO_SKUS = [
  'TEST-SOLD',
  'TEST-HELD',
  'TEST-SLOW',
  'TEST-DECLINED',
  'TEST-PRICE-UP',
  'TEST-SHIPS',
] as const
export type ScenarioSku = (typeof SCENARIO_SKUS)[number]

const ALL: ReadonlySet<string> = new Set(SCENARIO_SKUS)

/** Only in a sandbox: elsewhere a stone may have any of these numbers. */
export function isScenario(sku: string): boolean {
  return ALL.has(sku)
}
