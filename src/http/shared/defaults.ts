import type { TSchema } from 'typebox'
import { GEM_ATTRIBUTES, GEM_RATIOS } from '../../reference/attributes.ts'
import { DEFAULT_COLLECTIONS } from '../../reference/collections.ts'
import { DEFAULT_MARGINS, DEFAULT_TEMPLATES } from '../../reference/defaults.ts'
import { constantResponse } from '../response/etag.ts'
import { type Access, type App, anyToken, everyToken } from '../route.ts'
import {
  CollectionsSchema,
  DefaultMarginsSchema,
  DefaultTemplatesSchema,
  GemAttributesSchema,
  GemRatiosSchema,
} from '../schemas/defaults.ts'

/** Reference data of the trade. It is the same in every version; only the paths differ. */
export const DEFAULTS = {
  gemAttributes: {
    summary: 'Lists the values of every gem attribute',
    schema: GemAttributesSchema,
    content: GEM_ATTRIBUTES,
  },
  merchantTemplates: {
    summary: 'Returns the default templates by shape and grade',
    schema: DefaultTemplatesSchema,
    content: DEFAULT_TEMPLATES,
  },
  profitMargins: {
    summary: 'Lists the default margin tiers',
    schema: DefaultMarginsSchema,
    content: DEFAULT_MARGINS,
    // A publishable key never shows a margin, not even that of others.
    access: anyToken,
  },
  collections: {
    summary: 'Lists the default collections',
    schema: CollectionsSchema,
    content: DEFAULT_COLLECTIONS,
  },
  gemRatios: {
    summary: 'Returns the ratios of square and rectangular shapes',
    schema: GemRatiosSchema,
    content: GEM_RATIOS,
  },
} as const

interface Default {
  summary: string
  schema: TSchema
  content: unknown
  /** Every valid token unless given. */
  access?: Access
}

export function serveDefault(app: App, path: string, served: Default): void {
  app.get(
    path,
    {
      config: { access: served.access ?? everyToken, hasEtag: true },
      schema: { tags: ['Defaults'], summary: served.summary, response: { 200: served.schema } },
    },
    constantResponse(served.content),
  )
}
