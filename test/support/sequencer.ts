import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take the most processor time, by measurement, the most first. Begun last, one of them would run
 * alone at the end, on one core. A file that is not listed here only comes later.
 */
const LONGEST = [
  'http/fuzz',
  'feeds/fuzz',
  'cluster/failover',
  'console/pages',
  'http/server',
  'console/window',
  'feeds/import-crash',
  'console/merchant',
  'console/operator',
  'feeds/sources/protocols',
  'http/stop',
  'gems/cursor-pages',
  'feeds/import-cli',
  'http/docs/examples',
  'orders/crash',
  'demo/market',
  'market-feed/kinds-model',
  'http/documents',
  'demo/reset-market',
  'orders/returns/crash',
  'cli/cli',
  'database/embedded-crash',
  'feeds/import',
  'orders/documents/crash',
  'database/embedded-accounts',
  'people/sign-in',
  'pictures/pictures',
  'orders/life/crash',
  'console/supplier',
  'feeds/sources/sources',
  'orders/race',
  'cli/secret',
  'database/embedded-sharing',
  'http/overload',
  'http/pools',
  'overrides/cli',
  'jewelry/cli',
  'feeds/sources/interface',
  'gems/search',
  'cli/prices',
  'demo/stones',
  'feeds/sources/takeover',
  'cli/source',
  'market-feed/limits',
  'database/system-account',
  'offers/offers',
  'cli/start',
  'cli/build',
  'http/access',
  'jewelry/import',
  'orders/life/histories',
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
