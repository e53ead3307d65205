import { createKnownReads, KNOWN_MS, LAST_COMMIT_MS } from '../../database/known-reads.ts'
import type { Db } from '../../database/open.ts'
import { listRecentMerchants } from '../../merchants/known-tokens.ts'
import { listTemplatesOf, type Template } from '../../merchants/template-store.ts'
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
  /** Reads it for the merchants of the last calls, who may search first during an outage. */
  readAhead(background: Db): Promise<void>
}

/** Each has up to some hundred templates; those that searched least recently go first. */
const MERCHANTS_MAX = 1_000
/** So that a statement returns at most some ten thousand templates. */
const READ_TOGETHER = 100

export function createOwnChoiceReads(db: Db): OwnChoiceReads {
  const entries = new Map<string, { choices: OwnChoices; readAtMs: number }>()
  const known = createKnownReads()

  function keep(merchantUuid: string, choices: OwnChoices): void {
    entries.delete(merchantUuid)
    entries.set(merchantUuid, { choices, readAtMs: performance.now() })
    if (entries.size > MERCHANTS_MAX) entries.delete(entries.keys().next().value ?? '')
  }

  async function again(merchantUuid: string): Promise<OwnChoices> {
    const [choices] = await readChoices(db, [merchantUuid])
    keep(merchantUuid, choices)
    return choices
  }

  return {
    async get(merchantUuid) {
      const earlier = entries.get(merchantUuid)
      if (!earlier || performance.now() - earlier.readAtMs > KNOWN_MS) return again(merchantUuid)
      return known.read(() => again(merchantUuid), earlier.choices, LAST_COMMIT_MS)
    },
    async readAhead(background) {
      const startedMs = performance.now()
      const merchants = await listRecentMerchants(background, MERCHANTS_MAX)
      // Those of the latest calls are kept last, so that they are the last to go.
      merchants.reverse()
      for (let from = 0; from < merchants.length; from += READ_TOGETHER) {
        const some = merchants.slice(from, from + READ_TOGETHER)
        const read = await readChoices(background, some)
        for (const [at, merchantUuid] of some.entries()) {
          // What a search has read meanwhile may be newer.
          const earlier = entries.get(merchantUuid)
          if (!earlier || earlier.readAtMs < startedMs) keep(merchantUuid, read[at])
        }
      }
    },
  }
}

/** Returns the choices of each merchant, in order. */
async function readChoices(db: Db, merchantUuids: readonly string[]): Promise<OwnChoices[]> {
  const [templates, stones] = await Promise.all([
    listTemplatesOf(db, merchantUuids),
    listStonesHeldBy(db, merchantUuids),
  ])
  const choices = new Map(
    merchantUuids.map((uuid) => [uuid, { templates: [] as Template[], held: new Set<number>() }]),
  )
  for (const template of templates) choices.get(template.merchant_uuid)?.templates.push(template)
  for (const { merchant_uuid, gem_id } of stones) choices.get(merchant_uuid)?.held.add(gem_id)
  return [...choices.values()]
}
