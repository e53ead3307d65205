/** A copy of the market: the snapshot first, then every change. */
import type { AnyProduct } from './api.ts'
import { ConnectionError } from './errors.ts'
import { createPatience, type FollowOptions, type Patience, WAIT_SECONDS } from './following.ts'
import type { Call } from './request.ts'

export interface SyncOptions extends FollowOptions {
  /** The same as `after`. Without both the whole market comes first. */
  from?: number | null | undefined
  /** Which kinds of product; diamonds unless given. */
  product_types?: readonly ('diamond' | 'gemstone' | 'melee' | 'jewelry' | 'watch')[] | undefined
  include_treated?: boolean | undefined
}

/**
 * Put `gem` in place of what you have of `sku`, or remove it when `gem` is null. When `sku` is null
 * (kinds `reset` and `prices`), forget everything: the whole market follows.
 */
export interface SyncChange {
  kind: string
  sku: string | null
  gem: AnyProduct | null
  /** The number of the change; of the products of a snapshot, that of the snapshot. */
  sequence: number
  product_type: string | null
  /** Whether your copy is whole with it, so that you can go on from `sequence` later. */
  resumable: boolean
}

const SNAPSHOT = '/api/v3/inventory/snapshot'
const CHANGES = '/api/v3/inventory/changes'
/** Snapshots that break off in a row; then something is wrong that another will not cure. */
const SNAPSHOTS_MAX = 3

interface ChangesPage {
  changes: Omit<SyncChange, 'resumable'>[]
  next: number
  more: boolean
}

/** Follows the market until it is stopped; `break` or the signal ends it. */
export async function* sync(call: Call, options: SyncOptions = {}): AsyncGenerator<SyncChange> {
  const { after, from, follow = true, signal, onRetry, ...query } = options
  let position = after ?? from ?? undefined
  const wait = follow ? WAIT_SECONDS : 0
  const patiently = createPatience(signal, onRetry)
  for (;;) {
    if (position === undefined) {
      position = yield* takeSnapshot(call, query, signal, patiently)
      if (position === undefined) return
    }
    const read = { query: { ...query, after: position, wait }, signal }
    const page = await patiently(() => call<ChangesPage>('GET', CHANGES, read))
    if (page === 'aborted') return
    if (page === 'expired') {
      yield resetAt(position)
      position = undefined
      continue
    }
    position = page.next
    for (const change of page.changes) {
      const isReset = change.kind === 'prices'
      yield { ...change, resumable: !isReset }
      if (!isReset) continue
      position = undefined
      break
    }
    if (position !== undefined && !page.more && !follow) return
  }
}

function resetAt(sequence: number): SyncChange {
  return { kind: 'reset', sku: null, gem: null, product_type: null, sequence, resumable: false }
}

/** Yields the whole market and returns its number; undefined when it was stopped. */
async function* takeSnapshot(
  call: Call,
  query: object,
  signal: AbortSignal | undefined,
  patiently: Patience,
): AsyncGenerator<SyncChange, number | undefined> {
  for (let attempt = 1; ; attempt++) {
    let sequence = 0
    try {
      const asked = { query, signal, raw: true }
      const response = await patiently(() => call<Response>('GET', SNAPSHOT, asked))
      if (typeof response === 'string') return undefined
      return yield* productsOf(response, (number) => {
        sequence = number
      })
    } catch (error) {
      if (signal?.aborted) return undefined
      const isCut = error instanceof BrokenOffError
      if (!isCut || attempt === SNAPSHOTS_MAX) throw error
    }
    yield resetAt(sequence)
  }
}

/** A snapshot without its last line. */
class BrokenOffError extends ConnectionError {
  constructor() {
    super(0, 'snapshot_incomplete', 'The snapshot broke off before its end.')
  }
}

interface SnapshotLine extends AnyProduct {
  kind?: string
  sequence?: number
}

/** The last product is the one after which the copy is whole. */
async function* productsOf(
  response: Response,
  onSequence: (sequence: number) => void,
): AsyncGenerator<SyncChange, number> {
  let sequence = 0
  let held: SyncChange | undefined
  for await (const line of linesOf(response)) {
    const { kind, sku } = line
    if (sku === undefined && kind === 'snapshot') {
      sequence = line.sequence ?? 0
      onSequence(sequence)
    } else if (sku === undefined && kind === 'end') {
      if (held) yield { ...held, resumable: true }
      return sequence
    } else {
      if (held) yield held
      held = productAt(line, sequence)
    }
  }
  throw new BrokenOffError()
}

function productAt(gem: AnyProduct, sequence: number): SyncChange {
  const { sku, product_type } = gem as { sku: string; product_type: string }
  return { kind: 'snapshot', sku, gem, sequence, product_type, resumable: false }
}

async function* linesOf({ body }: Response): AsyncGenerator<SnapshotLine, void> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    while (reader) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield JSON.parse(line) as SnapshotLine
    }
  } finally {
    // Whoever stops in the middle frees the connection.
    await reader?.cancel().catch(() => undefined)
  }
}
