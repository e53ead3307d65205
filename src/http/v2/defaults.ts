import type { App } from '../route.ts'
import { DEFAULTS, serveDefault } from '../shared/defaults.ts'

/** Reference data; shared/defaults.ts says what each path returns. */
export function registerDefaultsV2(app: App): void {
  serveDefault(app, '/api/v2/defaults/collections', DEFAULTS.collections)
  serveDefault(app, '/api/v2/defaults/gem_attributes', DEFAULTS.gemAttributes)
  serveDefault(app, '/api/v2/defaults/gem_ratios', DEFAULTS.gemRatios)
  serveDefault(app, '/api/v2/defaults/merchant_templates', DEFAULTS.merchantTemplates)
  serveDefault(app, '/api/v2/defaults/profit_margins', DEFAULTS.profitMargins)
}
