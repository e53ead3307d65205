import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take twelve seconds and more in a whole run, the longest first. Begun last, one of
 * them would run alone at the end, on one core. A file that is not listed here only comes later.
 */
const LONGEST = [
  'feeds/fuzz',
  'http/fuzz',
  'console/pages',
  'http/server',
  'feeds/import-crash',
  'gems/cursor-pages',
  'cluster/failover',
  'console/german',
  'http/stop',
  'console/window',
  'feeds/import-cli',
  'http/docs/examples',
  'cli/cli',
  'feeds/sources/protocols',
  'cli/start',
  'database/backup/backup',
  'orders/life/crash',
  'console/trade',
  'console/table',
  'demo/reset-market',
  'orders/crash',
  'console/merchant',
  'console/operator',
  'http/documents',
  'http/docs/runners',
  'demo/market',
  'pictures/pictures',
  'market-feed/kinds-model',
  'orders/race',
  'console/operator-orders',
  'console/desk',
  'cli/secret',
  'orders/returns/crash',
  'database/watch-sessions',
  'people/sign-in',
  'console/sorting',
  'database/waits',
  'orders/money/cli',
  'console/faults',
  'database/embedded-crash',
  'orders/documents/crash',
  'cli/no-market',
  'console/figures',
  'database/embedded-accounts',
  'console/shares',
  'cli/source',
  'feeds/sources/sources',
  'database/embedded-sharing',
  'orders/cli',
  'console/customer-view',
  'gems/cursor',
  'cli/backup',
  'console/saved',
  'console/stock',
  'console/suppliers',
  'console/imports',
  'http/overload',
  'console/media',
  'console/settings',
  'http/access',
  'console/supplier',
  'gems/search',
  'orders/substitutes',
  'jewelry/cli',
  'http/docs/guides',
  'notices/mailed',
  'feeds/import',
  'market-feed/replica',
  'overrides/cli',
  'database/system-account',
  'cli/prices',
  'orders/life/order-life',
  'jewelry/import',
  'feeds/mapping-file',
  'market-feed/limits',
  'feeds/reading-thread',
  'feeds/differential/cut-files',
  'market-feed/snapshot-changes',
  'feeds/import-http',
  'gems/index-follower',
]

/** Vitest's own order, by the durations of the last run on this machine, behind the list above. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const name = relative('test', moduleId).replace(/\.test\.ts$/, '')
  const rank = LONGEST.indexOf(name)
  return rank === -1 ? LONGEST.length : rank
}
