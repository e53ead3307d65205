import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, by measurement, the longest first. Begun last, one of them would run
 * alone at the end, on one core. A file that is not listed here only comes later.
 */
const LONGEST = [
  'http/fuzz',
  'http/server',
  'http/stop',
  'feeds/fuzz',
  'feeds/import-cli',
  'http/overload',
  'cli/cli',
  'console/pages',
  'feeds/import-crash',
  'database/embedded-crash',
  'feeds/sources/protocols',
  'jewelry/import',
  'pictures/pictures',
  'cli/start',
  'orders/crash',
  'orders/life/histories',
  'orders/returns/crash',
  'jewelry/cli',
  'cli/secret',
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
