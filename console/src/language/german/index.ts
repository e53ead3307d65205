import { AUDIT_AND_SELLER } from './audit-and-seller.ts'
import { COMMON } from './common.ts'
import { FIELDS } from './fields.ts'
import { FIGURES } from './figures.ts'
import { FIND } from './find.ts'
import { FRAME } from './frame.ts'
import { IMPORTS } from './imports.ts'
import { JEWELRY } from './jewelry.ts'
import { NOTICES } from './notices.ts'
import { OPERATOR_MERCHANTS } from './operator-merchants.ts'
import { OPERATOR_ORDERS } from './operator-orders.ts'
import { OPERATOR_QUOTES } from './operator-quotes.ts'
import { ORDERS } from './orders.ts'
import { PROBLEMS } from './problems.ts'
import { REASONS } from './reasons.ts'
import { SAVED } from './saved.ts'
import { SEARCH } from './search.ts'
import { SEARCH_FIELDS } from './search-fields.ts'
import { SELECTIONS } from './selections.ts'
import { SETTINGS } from './settings.ts'
import { STOCK } from './stock.ts'
import { STONES } from './stones.ts'
import { SUPPLIER_DESK } from './supplier-desk.ts'
import { SUPPLIERS } from './suppliers.ts'
import { TABLES } from './tables.ts'
import { TRADE } from './trade.ts'
import { VALUES } from './values.ts'

/** German, by area of the console. An English text stands in one of them; a test checks it. */
export const GERMAN_AREAS: readonly Record<string, string>[] = [
  AUDIT_AND_SELLER,
  COMMON,
  FIELDS,
  FIGURES,
  FIND,
  FRAME,
  IMPORTS,
  JEWELRY,
  NOTICES,
  OPERATOR_MERCHANTS,
  OPERATOR_ORDERS,
  OPERATOR_QUOTES,
  ORDERS,
  PROBLEMS,
  REASONS,
  SAVED,
  SEARCH_FIELDS,
  SEARCH,
  SELECTIONS,
  STOCK,
  SETTINGS,
  STONES,
  SUPPLIER_DESK,
  SUPPLIERS,
  TABLES,
  TRADE,
  VALUES,
]

export const GERMAN: ReadonlyMap<string, string> = new Map(
  GERMAN_AREAS.flatMap((area) => Object.entries(area)),
)
