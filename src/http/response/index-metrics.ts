import type { GemIndex } from '../../gems/indexing/follower.ts'
import type { DiamondSearch } from '../../gems/search/diamonds.ts'
import { bytesOf, sizeOf } from '../../index/index.ts'
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

function isUpToDate(index: GemIndex): boolean {
  return index.problem() === undefined && index.staleSeconds() === 0
}
