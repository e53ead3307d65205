import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, by measurement, the longest first. Begun last, one of them would run
 * alone at the end, on one core. A file that is not listed here only comes later.
 */
const LONGEST = [
  'feeds/fuzz',
  'http/stop',
  'http/fuzz',
  'http/server',
  'console/pages',
  'feeds/import-crash',
  'database/embedded-crash',
  'cli/start',
  'cli/cli',
  'feeds/import-cli',
  'feeds/sources/protocols',
  'gems/cursor-pages',
  'orders/crash',
  'orders/returns/crash',
  'jewelry/cli',
  'cli/secret',
  'orders/life/crash',
  'orders/documents/crash',
  'http/overload',
  'jewelry/import',
  'pictures/pictures',
  'orders/life/histories',
  'market-feed/kinds-model',
  'demo/reset-market',
  'database/embedded-sharing',
  'feeds/sources/sources',
  'console/merchant',
  'orders/race',
  'http/access',
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
