import type { ServedMarket } from './serve/run-server.ts'

/** Prints where the markets are served and, for a new demo market, how to take the first step. */
export function announce(markets: ServedMarket[]): void {
  process.stdout.write(`${announcementOf(markets).join('\n')}\n`)
}

function announcementOf(markets: ServedMarket[]): string[] {
  const lines = ['', 'Pavilion is ready.']
  for (const { realm, address } of markets) {
    lines.push(`  ${realm === 'live' ? 'production' : 'sandbox   '}  ${address}`)
  }
  const [production] = markets
  lines.push(`  documents   ${production.address}/docs`)
  for (const { realm, address, keys, links } of markets) {
    if (!keys) continue
    const name = realm === 'live' ? 'Production' : 'Sandbox'
    lines.push('', `${name}: a new demo market. Its keys are shown this once:`)
    lines.push(`  merchant key  ${keys.merchantKey}`)
    lines.push(`  admin key     ${keys.adminKey}`)
    if (links) {
      lines.push('  Look at it in a browser; each link works once:')
      lines.push(`  merchant      ${links.merchant}`)
      lines.push(`  operator      ${links.operator}`)
    }
    if (realm === 'live') lines.push('', 'Try it:', `  ${curlLine(address, keys.merchantKey)}`)
  }
  return [...lines, '']
}

function curlLine(address: string, key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${address}/api/v3/defaults/gem_attributes`
}
