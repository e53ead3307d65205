/** Reads of stones that are under way, shared by the callers that wait for them. */
export interface StoneReads {
  /** Reads and renders stones, and stores those that were not forgotten meanwhile. */
  read(ids: readonly number[], store: StoreStone): Promise<Map<number, Buffer>>
  /** `read`, but a stone that is being read already is not read twice. */
  readShared(ids: readonly number[], store: StoreStone): Promise<(Buffer | undefined)[]>
  /** A stone that changes while it is being read must not be stored as it was read. */
  forget(ids: ReadonlySet<number> | 'all'): void
}

export type StoreStone = (id: number, bytes: Buffer) => void

export function createStoneReads(
  render: (ids: readonly number[]) => Promise<Map<number, Buffer>>,
): StoneReads {
  const running = new Set<Forgotten>()
  const shared = new Map<number, Promise<Map<number, Buffer>>>()

  async function read(ids: readonly number[], store: StoreStone): Promise<Map<number, Buffer>> {
    const forgotten: Forgotten = { all: false, ids: new Set() }
    running.add(forgotten)
    try {
      const stones = await render(ids)
      for (const [id, bytes] of stones) {
        if (!forgotten.all && !forgotten.ids.has(id)) store(id, bytes)
      }
      return stones
    } finally {
      running.delete(forgotten)
    }
  }

  function startShared(ids: readonly number[], store: StoreStone): void {
    const reading = read(ids, store)
    for (const id of ids) shared.set(id, reading)
    const end = () => {
      for (const id of ids) if (shared.get(id) === reading) shared.delete(id)
    }
    reading.then(end, end)
  }

  return {
    read,
    readShared(ids, store) {
      const missing = ids.filter((id) => !shared.has(id))
      if (missing.length > 0) startShared(missing, store)
      return Promise.all(ids.map(async (id) => (await shared.get(id))?.get(id)))
    },
    forget(ids) {
      for (const forgotten of running) {
        forgotten.all ||= ids === 'all'
        for (const id of ids === 'all' ? [] : ids) forgotten.ids.add(id)
      }
      if (ids === 'all') shared.clear()
      else for (const id of ids) shared.delete(id)
    },
  }
}

/** What was forgotten since a read began. */
interface Forgotten {
  all: boolean
  ids: Set<number>
}
