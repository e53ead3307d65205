/** Starts the server, which is in serve/, and prints where it can be reached. */
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { Realm } from '../merchants/token.ts'
import { readWholeNumber } from './arguments.ts'
import { type CommonOptions, commandOfBoth, runCommand } from './command.ts'
import { keysOf } from './demo.ts'
import { print } from './output/print.ts'
import type { ServedMarket } from './serve/run-server.ts'

/** More processes than any machine has cores must be a typing error. */
const WORKERS_MAX = 256

export function startCommand(): Command {
  return commandOfBoth('start', 'Start the server', 'PORT=9000 pavilion start')
    .option(
      '--workers <count>',
      'Number of server processes; each loads its own copy of the search index',
      readWholeNumber(1, WORKERS_MAX),
      1,
    )
    .action((options: CommonOptions & { workers: number }) =>
      runCommand(options, async () => {
        const config = readConfig()
        // The server is the largest part of Pavilion; other commands start faster without it.
        const { runServer } = await import('./serve/run-server.ts')
        await runServer(config, options.workers, options.json ? IN_JSON : IN_TEXT)
      }),
    )
}

const IN_TEXT = {
  log: 'stdout',
  ready: announce,
  filling: (realm: Realm) => void process.stdout.write(showFilling(realm)),
  loading: (stones: number) => void process.stdout.write(showLoading(stones)),
} as const

/** One document, and the log on stderr: a script waits for it and has the keys. */
const IN_JSON = {
  log: 'stderr',
  ready: (markets: ServedMarket[], metricsAddress: string | undefined) => {
    const served = markets.map(({ realm, address, keys, links, isEmpty }) => ({
      realm,
      address,
      documents: `${address}/docs`,
      is_empty: isEmpty,
      ...(keys && keysOf(keys)),
      ...(links && { links }),
    }))
    print({ json: true }, { markets: served, metrics: metricsOf(metricsAddress) }, String)
  },
  filling: (realm: Realm) => void process.stderr.write(showFilling(realm)),
  loading: (stones: number) => void process.stderr.write(showLoading(stones)),
} as const

function showFilling(realm: Realm): string {
  const name = realm === 'live' ? 'production' : 'the sandbox'
  return `Making the demo market of ${name}, which takes some seconds.\n`
}

function showLoading(stones: number): string {
  const read = stones === 0 ? '' : `: ${stones.toLocaleString('en')} stones so far`
  return `Loading the search indexes${read}.\n`
}

function metricsOf(address: string | undefined): string | null {
  return address === undefined ? null : `${address}/metrics`
}

/** Prints where the markets are served and, for a new demo market, its keys and a first request. */
function announce(markets: ServedMarket[], metricsAddress: string | undefined): void {
  const [production] = markets
  const lines = ['', 'Pavilion is ready.']
  for (const { realm, address } of markets) {
    lines.push(`  ${realm === 'live' ? 'production' : 'sandbox   '}  ${address}`)
  }
  if (metricsAddress) lines.push(`  metrics     ${metricsAddress}/metrics`)
  lines.push(`  documents   ${production.address}/docs`, ...markets.flatMap(demoLines), '')
  process.stdout.write(`${lines.join('\n')}\n`)
}

function demoLines({ realm, address, keys, links, isEmpty }: ServedMarket): string[] {
  if (!keys) return isEmpty ? emptyLines(realm) : []
  const name = realm === 'live' ? 'Production' : 'Sandbox'
  const lines = ['', `${name} is a new demo market. Save its keys; they are not shown again:`]
  lines.push(`  merchant key  ${keys.merchantKey}`, `  admin key     ${keys.adminKey}`)
  lines.push(`  supplier key  ${keys.supplierKey}`)
  if (links) {
    lines.push('Open it in a browser; each link works once:')
    lines.push(`  merchant      ${links.merchant}`, `  operator      ${links.operator}`)
    lines.push(`  supplier      ${links.supplier}`)
  }
  if (realm === 'live') lines.push('', 'Try it:', `  ${curlLine(address, keys.merchantKey)}`)
  return lines
}

/** Your own database is never filled by a start. */
function emptyLines(realm: ServedMarket['realm']): string[] {
  const [name, option] = realm === 'live' ? ['Production', ''] : ['The sandbox', ' --sandbox']
  return ['', `${name} is empty. "pavilion demo${option}" fills it with a demo market.`]
}

function curlLine(address: string, key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${address}/api/v3/defaults/gem_attributes`
}
