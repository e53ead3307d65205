import type { TSchema } from 'typebox'
import { GEM_ATTRIBUTES } from '../../reference/attributes.ts'
import { DEFAULT_COLLECTIONS } from '../../reference/collections.ts'
import { DEFAULT_MARGINS } from '../../reference/default-margins.ts'
import { DEFAULT_TEMPLATES } from '../../reference/default-templates.ts'
import { GEM_RATIOS } from '../../reference/gem-ratios.ts'
import { constantResponse } from '../response/etag.ts'
import { type App, anyToken } from '../route.ts'
import {
  CollectionsSchema,
  DefaultMarginsSchema,
  DefaultTemplatesSchema,
  GemAttributesSchema,
  GemRatiosSchema,
} from '../schemas/defaults.ts'

interface Default {
  name: string
  summary: string
  schema: TSchema
  content: unknown
}

const GEM_ATTRIBUTES_DEFAULT: Default = {
  name: 'gem_attributes',
  summary: 'Lists the values of every gem attribute',
  schema: GemAttributesSchema,
  content: GEM_ATTRIBUTES,
}

const TEMPLATES_DEFAULT: Default = {
  name: 'merchant_templates',
  summary: 'Reads the default templates by shape and grade',
  schema: DefaultTemplatesSchema,
  content: DEFAULT_TEMPLATES,
}

const MARGINS_DEFAULT: Default = {
  name: 'profit_margins',
  summary: 'Lists the default margin tiers',
  schema: DefaultMarginsSchema,
  content: DEFAULT_MARGINS,
}

const COLLECTIONS_DEFAULT: Default = {
  name: 'collections',
  summary: 'Lists the default collections',
  schema: CollectionsSchema,
  content: DEFAULT_COLLECTIONS,
}

const RATIOS_DEFAULT: Default = {
  name: 'gem_ratios',
  summary: 'Reads the ratios of square and rectangular shapes',
  schema: GemRatiosSchema,
  content: GEM_RATIOS,
}

/** Which default is served in which version. */
const SERVED: [version: 'v2' | 'v3', served: Default][] = [
  ['v2', TEMPLATES_DEFAULT],
  ['v2', COLLECTIONS_DEFAULT],
  ['v2', RATIOS_DEFAULT],
  ['v2', GEM_ATTRIBUTES_DEFAULT],
  ['v2', MARGINS_DEFAULT],
  ['v3', GEM_ATTRIBUTES_DEFAULT],
  ['v3', TEMPLATES_DEFAULT],
  ['v3', MARGINS_DEFAULT],
  ['v3', COLLECTIONS_DEFAULT],
  ['v3', RATIOS_DEFAULT],
]

/** Reference data never changes while the process lives: rendered once, served from memory. */
export function registerDefaults(app: App): void {
  for (const [version, served] of SERVED) {
    app.get(
      `/api/${version}/defaults/${served.name}`,
      {
        config: { access: anyToken },
        schema: {
          tags: ['Defaults'],
          summary: served.summary,
          response: { 200: served.schema },
        },
      },
      constantResponse(served.content),
    )
  }
}
