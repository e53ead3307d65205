import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { bytesForWorkspace } from './query/workspace.ts'
import type { Bits } from './segment/bits.ts'
import { packSegment } from './segment/build.ts'
import type { Segment } from './segment/columns.ts'
import { inputFromMerge } from './segment/merge.ts'
import type { Rows } from './segment/rows.ts'
import { type SegmentFile, writeSegment } from './segment-file.ts'

/** What the next base of a store is made from. */
export interface Mergeable {
  readonly base: Segment
  /** The rows of the base that are still valid. */
  readonly alive: Bits
  readonly delta: Rows
}

/** What a thread is given, and what it sends. */
export interface MergeData extends Mergeable {
  /** Where the next base is also written. */
  readonly file: SegmentFile | undefined
}

export type MergeMessage = { segment: Segment } | { ended: true; unwritten: string | undefined }

/** Makes the next base. Its arrays are shared memory, so a thread can hand them over. */
export function mergeSegment({ base, alive, delta }: Mergeable): Segment {
  const input = inputFromMerge(base, alive, delta)
  return packSegment(input, bytesForWorkspace(input.size))
}

if (parentPort) {
  // On Linux a thread has its own priority, so the merge gets only what searches leave.
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
  const { file, ...parts } = workerData as MergeData
  const send = (message: MergeMessage) => parentPort?.postMessage(message)
  const segment = mergeSegment(parts)
  // Before anybody has the base, because a code that is set later changes it in place.
  const finish = file && writeSegment(segment, file)
  send({ segment })
  send({ ended: true, unwritten: finish?.() })
}
