/** Stones that are being read and rendered, by those who wait for them. */
export interface StoneReadings {
  /** Reads stones, and keeps those that nobody forgot meanwhile. */
  read(ids: readonly number[], keep: KeepStone): Promise<Map<number, Buffer>>
  /** The same for callers: who asks for a stone that is being read waits for that reading. */
  readOnce(ids: readonly number[], keep: KeepStone): Promise<(Buffer | undefined)[]>
  /** What was forgotten while it was being read must not be remembered as it was read. */
  forget(ids: ReadonlySet<number> | 'all'): void
}

export type KeepStone = (id: number, bytes: Buffer) => void

export function createStoneReadings(
  render: (ids: readonly number[]) => Promise<Map<number, Buffer>>,
): StoneReadings {
  const running = new Set<Forgotten>()
  const awaited = new Map<number, Promise<Map<number, Buffer>>>()

  async function read(ids: readonly number[], keep: KeepStone): Promise<Map<number, Buffer>> {
    const forgotten: Forgotten = { all: false, ids: new Set() }
    running.add(forgotten)
    try {
      const fresh = await render(ids)
      for (const [id, bytes] of fresh) {
        if (!forgotten.all && !forgotten.ids.has(id)) keep(id, bytes)
      }
      return fresh
    } finally {
      running.delete(forgotten)
    }
  }

  function start(ids: readonly number[], keep: KeepStone): void {
    const reading = read(ids, keep)
    for (const id of ids) awaited.set(id, reading)
    const end = () => {
      for (const id of ids) if (awaited.get(id) === reading) awaited.delete(id)
    }
    reading.then(end, end)
  }

  return {
    read,
    readOnce(ids, keep) {
      const missing = ids.filter((id) => !awaited.has(id))
      if (missing.length > 0) start(missing, keep)
      return Promise.all(ids.map(async (id) => (await awaited.get(id))?.get(id)))
    },
    forget(ids) {
      for (const reading of running) {
        reading.all ||= ids === 'all'
        for (const id of ids === 'all' ? [] : ids) reading.ids.add(id)
      }
      if (ids === 'all') awaited.clear()
      else for (const id of ids) awaited.delete(id)
    },
  }
}

interface Forgotten {
  all: boolean
  ids: Set<number>
}
