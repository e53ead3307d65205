import { createKnownReads, KNOWN_MS, LAST_COMMIT_MS } from '../../database/known-reads.ts'
import type { Db } from '../../database/open.ts'
import { listOwnTemplates, type Template } from '../../merchants/template-store.ts'
import { listLiveHolds } from '../holds/hold-store.ts'
import { listStonesHeldBy } from '../offer-store.ts'

/** What of a merchant's own decides a curated search. */
interface OwnChoices {
  templates: readonly Template[]
  /** The stones that it has on hold, from which its templates may choose. */
  held: ReadonlySet<number>
}

/**
 * Reads it for every search. While the database is away, what was read last is used for an hour.
 */
export interface OwnChoiceReads {
  get(merchantUuid: string): Promise<OwnChoices>
}

/** Each has up to some hundred templates; those that searched least recently go first. */
const MERCHANTS_MAX = 1_000

export function createOwnChoiceReads(db: Db): OwnChoiceReads {
  const entries = new Map<string, { choices: OwnChoices; readAtMs: number }>()
  const known = createKnownReads()

  async function again(merchantUuid: string): Promise<OwnChoices> {
    const [templates, holds, stones] = await Promise.all([
      listOwnTemplates(db, merchantUuid),
      listLiveHolds(db, merchantUuid),
      listStonesHeldBy(db, merchantUuid),
    ])
    const choices = { templates, held: new Set([...holds.map(({ gem_id }) => gem_id), ...stones]) }
    entries.delete(merchantUuid)
    entries.set(merchantUuid, { choices, readAtMs: performance.now() })
    if (entries.size > MERCHANTS_MAX) entries.delete(entries.keys().next().value ?? '')
    return choices
  }

  return {
    async get(merchantUuid) {
      const earlier = entries.get(merchantUuid)
      if (!earlier || performance.now() - earlier.readAtMs > KNOWN_MS) return again(merchantUuid)
      return known.read(() => again(merchantUuid), earlier.choices, LAST_COMMIT_MS)
    },
  }
}
