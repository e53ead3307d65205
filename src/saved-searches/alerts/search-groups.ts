import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../database/open.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { readPriceRulesOf } from '../../pricing/price-rules-cache.ts'
import { SEARCH_KINDS, SEARCH_TABLES, type SearchKind } from '../saved-search.ts'
import type { AlertSearch } from './matcher-store.ts'
import { type AlertPlan, planAlert } from './plan-alert.ts'

/** Searches that find the same stones, which is worked out once for all of them. */
export interface SearchGroup {
  kind: SearchKind
  plan: AlertPlan
  members: AlertSearch[]
}

/** Plans searches, and keeps what it planned: a plan with a price takes some 50 microseconds. */
interface SearchPlanner {
  /** Groups the searches. One whose merchant has no exchange rate is left out. */
  group(db: Db, searches: readonly AlertSearch[]): Promise<SearchGroup[]>
  /** The prices of these merchants changed; null stands for all. */
  forget(merchants: readonly (string | null)[]): void
}

interface Planned {
  version: number
  rules: PriceRules
  plan: AlertPlan
}

/** Other work of the node waits no longer than this. */
const TURN_MS = 5

export function createSearchPlanner(): SearchPlanner {
  const rulesOf: Record<SearchKind, Map<string, PriceRules>> = {
    diamond: new Map(),
    gemstone: new Map(),
  }
  let plans = new Map<string, Planned>()

  async function readMissing(db: Db, searches: readonly AlertSearch[]): Promise<void> {
    for (const kind of SEARCH_KINDS) {
      const owners = searches.flatMap((each) => (each.kind === kind ? [each.merchant_uuid] : []))
      const missing = [...new Set(owners)].filter((uuid) => !rulesOf[kind].has(uuid))
      if (missing.length === 0) continue
      for (const [uuid, rules] of await readPriceRulesOf(db, missing, kind)) {
        rulesOf[kind].set(uuid, rules)
      }
    }
  }

  function planOf(search: AlertSearch, rules: PriceRules): Planned {
    const { uuid, version } = search
    const earlier = plans.get(uuid)
    if (earlier?.version === version && earlier.rules === rules) return earlier
    return { version, rules, plan: planAlert(search, rules) }
  }

  return {
    async group(db, searches) {
      await readMissing(db, searches)
      const groups = new Map<string, SearchGroup>()
      const planned = new Map<string, Planned>()
      let turnMs = performance.now()
      for (const search of searches) {
        const rules = rulesOf[search.kind].get(search.merchant_uuid)
        if (!rules) continue
        const own = planOf(search, rules)
        planned.set(search.uuid, own)
        const key = keyOf(search, rules)
        const group = groups.get(key)
        if (group) group.members.push(search)
        else groups.set(key, { kind: search.kind, plan: own.plan, members: [search] })
        if (performance.now() - turnMs < TURN_MS) continue
        await nextTurn()
        turnMs = performance.now()
      }
      plans = planned
      return [...groups.values()]
    },
    forget(merchants) {
      for (const uuid of merchants) {
        for (const kind of SEARCH_KINDS) {
          if (uuid === null) rulesOf[kind].clear()
          else rulesOf[kind].delete(uuid)
        }
      }
    },
  }
}

/** Conditions on prices mean something else for every merchant. */
function keyOf(search: AlertSearch, { list }: PriceRules): string {
  const { kind, filters, max_retail_price, merchant_uuid } = search
  const names = Object.keys(filters)
  const isPriced = max_retail_price !== null || names.some((name) => PRICED[kind].has(name))
  const owner = isPriced ? merchant_uuid : list
  return JSON.stringify([kind, owner, max_retail_price, Object.entries(filters).toSorted(byName)])
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

/** The filters by prices. */
const PRICED: Record<SearchKind, ReadonlySet<string>> = {
  diamond: pricedFilters('diamond'),
  gemstone: pricedFilters('gemstone'),
}

function pricedFilters(kind: SearchKind): ReadonlySet<string> {
  const { fields, names, fieldByFilter } = SEARCH_TABLES[kind]
  const kinds = new Map(Object.entries(fields).map(([name, field]) => [name, field.kind]))
  const priced = [...fieldByFilter].filter(([, at]) => kinds.get(names[at]) === 'price')
  return new Set(priced.map(([filter]) => filter))
}
