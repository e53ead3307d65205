import type { Db } from '../../database/open.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { readPriceRulesOf } from '../../pricing/price-rules-cache.ts'
import { SEARCH_TABLES, type SearchKind } from '../saved-search.ts'
import type { AlertSearch } from './matcher-store.ts'
import { type AlertPlan, planAlert } from './plan-alert.ts'

/** Searches that find the same stones, which is worked out once for all of them. */
export interface SearchGroup {
  kind: SearchKind
  plan: AlertPlan
  members: AlertSearch[]
}

/** The price rules of merchants by kind of stone. */
type RulesByKind = Readonly<Record<SearchKind, Map<string, PriceRules>>>

/** Reads the rules of all merchants that have searches with alerts. */
export async function readRules(db: Db, searches: readonly AlertSearch[]): Promise<RulesByKind> {
  const rulesOf = async (kind: SearchKind) => {
    const own = searches.filter((search) => search.kind === kind)
    const merchants = [...new Set(own.map((search) => search.merchant_uuid))]
    return merchants.length === 0 ? new Map() : readPriceRulesOf(db, merchants, kind)
  }
  return { diamond: await rulesOf('diamond'), gemstone: await rulesOf('gemstone') }
}

/** Groups the searches. One whose merchant has no rules (no exchange rate) is left out. */
export function groupSearches(
  searches: readonly AlertSearch[],
  rulesByKind: RulesByKind,
): SearchGroup[] {
  const groups = new Map<string, SearchGroup>()
  for (const search of searches) {
    const rules = rulesByKind[search.kind].get(search.merchant_uuid)
    if (!rules) continue
    const key = keyOf(search, rules)
    const group = groups.get(key)
    if (group) group.members.push(search)
    else groups.set(key, { kind: search.kind, plan: planAlert(search, rules), members: [search] })
  }
  return [...groups.values()]
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
