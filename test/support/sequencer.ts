import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, by measurement, the longest first. Begun last, one of them would run
 * alone at the end, on one core. A file that is not listed here only comes later.
 */
const LONGEST = [
  'feeds/fuzz',
  'http/fuzz',
  'http/server',
  'http/stop',
  'console/pages',
  'gems/cursor-pages',
  'feeds/import-crash',
  'database/embedded-crash',
  'cli/start',
  'feeds/sources/protocols',
  'feeds/sources/sources',
  'database/embedded-sharing',
  'orders/crash',
  'cli/build',
  'http/overload',
  'orders/race',
  'orders/life/crash',
  'console/window',
  'feeds/import-cli',
  'demo/reset-market',
  'orders/documents/crash',
  'database/embedded-accounts',
  'console/merchant',
  'market-feed/kinds-model',
  'http/documents',
  'cli/secret',
  'orders/returns/crash',
  'cli/source',
  'http/docs/examples',
  'offers/offers',
  'cli/cli',
  'jewelry/cli',
  'console/operator',
  'database/system-account',
  'feeds/import',
  'pictures/pictures',
  'http/access',
  'demo/market',
  'jewelry/import',
  'market-feed/limits',
  'people/sign-in',
  'cli/prices',
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
