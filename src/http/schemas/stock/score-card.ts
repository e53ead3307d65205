import { inlineObject, integer, list, nullable, number, object, text } from '../fields.ts'

const share = (description: string) => nullable(number(`${description}; 0 to 1, null: none`, 0.04))
const hours = (description: string) => nullable(number(`${description}, in hours`, 5.25))

const ScorePeriodSchema = object('ScorePeriod', {
  days: integer('Length of the period: 7, 30 or 90 days until now', 7),
  rows: integer('Rows of the files that were imported', 1200),
  share_rejected: share('Share of the rows that were rejected'),
  rejections: list(
    inlineObject({
      reason: text('Why rows were rejected', 'The weight is missing'),
      rows: integer('Number of rows', 12),
    }),
    'The ten most frequent reasons',
  ),
  order_lines: integer('Lines that were ordered', 40),
  share_declined: share('Share of the lines that were declined'),
  share_cancelled: share('Share of the lines that were cancelled, completely or in part'),
  hours_to_confirm: hours('Average time from the order to its confirmation'),
  hours_to_ship: hours('Average time from the order to its first shipment'),
  price_changes_per_day: number(
    'Prices that changed, per day; an estimate for more than 20,000 stones',
    14.5,
  ),
  share_dead_media: share('Share of the links to media in the daily samples that are dead'),
})

/** How well a supplier delivers. */
export const ScoreCardSchema = object('ScoreCard', {
  hours_since_import: hours('Time since the last import'),
  stones: integer('Stones on sale, counted up to 20,000', 5300),
  share_with_media: share('Share of them with a picture, a video or a viewer'),
  share_with_certificate: share('Share of them with a certificate'),
  share_dead_media: share('Share of the links to media in the last daily sample that are dead'),
  periods: list(ScorePeriodSchema, 'The last 7, 30 and 90 days'),
})
