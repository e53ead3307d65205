import { t } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'

/** What stones are sorted by, its name, and which come first in either direction. */
const SORTS = [
  [
    'off_rap_percentage',
    t('Best value'),
    t('Best value first: furthest below the list price; stones without one come last'),
    t('Nearest to or above the list price first; stones without one come last'),
  ],
  ['retail_price', t('Price'), t('The lowest price first'), t('The highest price first')],
  [
    'price_per_carat',
    t('Price per carat'),
    t('The lowest price per carat first'),
    t('The highest price per carat first'),
  ],
  ['wholesale_price', t('Wholesale'), t('The lowest cost first'), t('The highest cost first')],
  ['weight', t('Carat'), t('The lightest first'), t('The heaviest first')],
  ['color', t('Color'), t('The best color first'), t('The lowest color first')],
  ['clarity', t('Clarity'), t('The best clarity first'), t('The lowest clarity first')],
  ['cut_grade', t('Cut'), t('The best cut first'), t('The lowest cut grade first')],
  ['ratio', t('Ratio'), t('The squarest first'), t('The most elongated first')],
  ['table_percentage', t('Table'), t('The smallest table first'), t('The largest table first')],
  ['depth_percentage', t('Depth'), t('The shallowest first'), t('The deepest first')],
  ['length', t('Length'), t('The shortest first'), t('The longest first')],
  [
    'delivery_days_max',
    t('Delivery'),
    t('The fastest delivery first'),
    t('The slowest delivery first'),
  ],
  [
    'created_on',
    t('On the market'),
    t('The longest on the market first'),
    t('The newest on the market first'),
  ],
  ['updated_on', t('Last updated'), t('Unchanged for longest first'), t('The last changed first')],
] as const

/**
 * How the trade compares stones of different sizes and grades: the price as a percentage of the
 * list price of such a stone. The default of the diamond search.
 */
export const BEST_VALUE = 'off_rap_percentage'

/** Those that tell what the merchant pays. */
const TRADE_SORTS: readonly string[] = ['wholesale_price', BEST_VALUE]

/** By what the merchant pays only where no customer looks at the screen. */
export const SHOWN_SORTS = SORTS.filter(([name]) => !isCustomerView || !TRADE_SORTS.includes(name))

export const DEFAULT_SORT = isCustomerView ? 'retail_price' : BEST_VALUE
