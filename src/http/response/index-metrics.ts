import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { IndexName } from '../../gems/indexing/columns.ts'
import type { GemIndex, IndexFileOptions } from '../../gems/indexing/follower.ts'
import type { FileMessage } from '../../gems/indexing/index-file.ts'
import type { DiamondSearch } from '../../gems/search/diamonds.ts'
import type { StonesFileOptions } from '../../gems/search/stored/keep-stones.ts'
import { bytesOf, sizeOf } from '../../index/index.ts'
import { readVersion } from '../../version.ts'
import { addGauges, type Metrics } from './metrics.ts'

export function addIndexGauges(
  { registry }: Metrics,
  { index, stones }: DiamondSearch,
  audit: () => { checked: number; drifted: number },
): void {
  const loaded = (read: () => number) => () => (index.sequence() === undefined ? 0 : read())
  // Every process of a node has all stones; the node is as ready as its last process.
  addGauges(
    registry,
    'pavilion_index',
    [
      ['stones', 'Stones in the index', loaded(() => sizeOf(index.store()))],
      ['sequence', 'Last number of the change log in the index', () => index.sequence() ?? -1],
      ['ready', '1 when the index is loaded and up to date', () => Number(isUpToDate(index))],
    ],
    'min',
  )
  const load = () => index.loaded()
  addGauges(
    registry,
    'pavilion_index',
    [
      ['load_seconds', 'Seconds that the last load took', () => load()?.seconds ?? 0],
      ['load_from_table', '1 when it was from the table', () => Number(load()?.from === 'table')],
    ],
    'max',
  )
  addGauges(registry, 'pavilion_index', [
    ['bytes', 'Bytes of the index', loaded(() => bytesOf(index.store()))],
    ['audited_stones', 'Stones compared with the table', () => audit().checked],
    ['drifted_stones', 'Stones that differed from the table', () => audit().drifted],
    ['rendered_stones', 'Stones in the rendered cache', () => stones.size().entries],
    ['rendered_bytes', 'Bytes of the rendered cache', () => stones.size().bytes],
    ['stored_stones', 'Rendered stones on disk', () => stones.storedSize().entries],
    ['stored_bytes', 'Bytes that they take there', () => stones.storedSize().bytes],
  ])
}

/** In which files each index of a market and its stones are kept, and what is logged of it. */
export function indexFiles(
  log: FastifyBaseLogger,
  { indexFolder, realm }: { indexFolder?: string; realm: string },
): (index: IndexName) => IndexFileOptions & StonesFileOptions {
  const program = readVersion()
  return (index) => {
    const fileOf = (kind: string) =>
      indexFolder ? { path: join(indexFolder, `${realm}-${index}.${kind}`), program } : undefined
    const logFile = (name: string) => (message: FileMessage) => {
      const line = { index, ...message }
      if ('refused' in message) log.warn(line, `${name} is not used`)
      else if ('unwritten' in message) log.info(line, `${name} was not written`)
      else log.debug(line, name)
    }
    return {
      file: fileOf('index'),
      onLoaded: (load) => log.info({ index, ...load }, 'index loaded'),
      onFile: logFile('the file of the index'),
      stonesFile: fileOf('stones'),
      onStonesFile: logFile('the file of rendered stones'),
    }
  }
}

function isUpToDate(index: GemIndex): boolean {
  return index.problem() === undefined && index.staleSeconds() === 0
}
