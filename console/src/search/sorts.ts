import { t } from '../language/language.ts'

/** What stones are sorted by, its name, and which come first in either direction. */
export const SORTS = [
  ['retail_price', t('Price'), t('The lowest price first'), t('The highest price first')],
  [
    'price_per_carat',
    t('Price per carat'),
    t('The lowest price per carat first'),
    t('The highest price per carat first'),
  ],
  ['wholesale_price', t('Wholesale'), t('The lowest cost first'), t('The highest cost first')],
  [
    'off_rap_percentage',
    t('List price %'),
    t('Furthest below the list price first'),
    t('Nearest to or above the list price first'),
  ],
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

/** Those that tell what the merchant pays. */
export const TRADE_SORTS: readonly string[] = ['wholesale_price', 'off_rap_percentage']
