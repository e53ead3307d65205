import { GEMSTONE_FIELDS } from '../../gems/search/gemstone-fields.ts'
import { integer, list, nullable, object, text } from './fields.ts'
import { GemSchema } from './gem.ts'
import { searchBodyOf } from './gem-search.ts'

export const GemstoneSearchBody = searchBodyOf('Gemstone', GEMSTONE_FIELDS)

export const GemstoneSchema = object('Gemstone', {
  ...GemSchema.properties,
  species: nullable(text('What stone it is', 'sapphire')),
  origin: nullable(text('Where it was found', 'Sri Lanka')),
  treatment: nullable(text('What was done to it', 'heated')),
})

export const GemstonePage = object('GemstonePage', {
  gems: list(GemstoneSchema, 'The stones of this page'),
  offset: integer('Stones skipped', 0),
  limit: integer('Most stones on a page', 50),
  total: integer('Matching stones, exact', 120),
})
