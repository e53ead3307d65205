/** The operations of the merchant interface's specification; every other one is our extension. */
const SPECIFIED = new Set([
  'GET /api/v2/defaults/collections',
  'GET /api/v2/defaults/gem_ratios',
  'GET /api/v2/defaults/merchant_templates',
  'GET /api/v2/merchant_addresses/list',
  'GET /api/v2/orders/list',
  'GET /api/v2/profit_margins/list',
  'POST /api/v2/diamonds/merchant_search',
  'POST /api/v2/orders/place',
  'GET /api/v3/defaults/gem_attributes',
  'GET /api/v3/defaults/merchant_templates',
  'GET /api/v3/defaults/profit_margins',
  'GET /api/v3/diamonds/get_parcel_filters',
  'GET /api/v3/merchant_addresses/list',
  'GET /api/v3/merchant_templates/list',
  'GET /api/v3/orders/list',
  'GET /api/v3/orders/search',
  'GET /api/v3/product_filters',
  'GET /api/v3/profit_margins/:uuid',
  'GET /api/v3/profit_margins/list',
  'POST /api/v3/product_variants/jewelry/query',
  'POST /api/v3/products/jewelry/query',
  'POST /api/v3/products/query',
])

const EXTENSION = 'An extension of the specified interface.'

/** The description of an operation, which says so when the specification does not know it. */
export function describeOperation(
  method: string,
  path: string,
  description: string | undefined,
): string | undefined {
  // The operator's interface is all our own.
  const isPlain = path.startsWith('/api/operator/') || SPECIFIED.has(`${method} ${path}`)
  return isPlain ? description : [EXTENSION, description].filter(Boolean).join(' ')
}
