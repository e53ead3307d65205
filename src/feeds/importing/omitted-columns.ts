import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { FeedColumn } from '../../gems/gem.ts'
import { fed } from '../../gems/operator/override-fields.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { TREATMENT_FIELDS } from '../drafting/draft-treatment.ts'
import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'

/** Columns of a stone that the field of the same name fills. */
const OWN_FIELD = [
  'origin',
  'depth_percentage',
  'table_percentage',
  'crown_angle',
  'pavilion_angle',
  'pavilion_depth',
  'culet_size',
  'cut_grade',
  'polish_grade',
  'symmetry_grade',
  'eye_clean',
  'cert_url',
  'black_inclusion',
  'is_sustainable',
  'sustainability_details',
  'image_top_url',
  'image_bottom_url',
  'video_url',
  'ux_url',
  'cached_ux_url',
  'v360_json_base_url',
  'original_imported_ext_url',
] as const satisfies readonly (FeedColumn & FieldName)[]

const CERTIFICATE: readonly FieldName[] = ['lab', 'lab_name', 'cert_num', 'cert_num_2']

/** Columns that any of several fields fills. */
const FROM_SEVERAL: readonly [columns: FeedColumn[], fields: readonly FieldName[]][] = [
  [['lab', 'lab_name', 'cert_num'], CERTIFICATE],
  [
    ['length', 'width', 'depth', 'ratio', 'ratio_group'],
    ['measurements', 'length', 'width', 'depth', 'ratio', 'ratio_group', 'parcel_size'],
  ],
  [
    ['girdle_min', 'girdle_max'],
    ['girdle', 'girdle_min', 'girdle_max'],
  ],
  [['shade'], ['shade', 'shade_brown', 'shade_green', 'shade_blue', 'shade_gray', 'bgm']],
  [['milky'], ['milky', 'bgm']],
  [['fluorescence'], ['fluorescence', 'fluorescence_color']],
  [['treatment'], TREATMENT_FIELDS],
  [
    ['tolerance_positive', 'tolerance_negative'],
    ['tolerance', 'tolerance_positive', 'tolerance_negative'],
  ],
  [
    ['pair_vendor_sku', 'pair_sku', 'pair_separable'],
    ['pair_vendor_sku', 'pair_set', 'is_pair', 'pair_separable'],
  ],
  [['v360_info'], ['v360_info', 'v360_frame_count', 'v360_s3_path', 'v360_md5_hash']],
]

/** Columns that cannot be null: a row without the field is drafted with a no. */
const FLAGS = ['media_requested'] as const satisfies readonly (FeedColumn & FieldName)[]

const GROWTH: readonly FieldName[] = ['type', 'grow_method', ...CERTIFICATE]

/**
 * A file of updates may have a few columns only, such as a list of new prices. Whatever it has no
 * column for stays as it was on a known stone: without this, a grown stone would be sold as a mined
 * one. A row with another shape or weight is another stone, and keeps nothing.
 */
export async function keepOmitted(
  db: Db,
  { at }: FeedMapping,
  { stone_type }: Pick<Supplier, 'stone_type'>,
): Promise<void> {
  const isOmitted = (fields: readonly FieldName[]) =>
    fields.every((field) => at[field] === undefined)
  const kept: FeedColumn[] = OWN_FIELD.filter((field) => isOmitted([field]))
  for (const [columns, fields] of FROM_SEVERAL) if (isOmitted(fields)) kept.push(...columns)
  const values = kept.map((column) => [column, `coalesce(s.${column}, ${fed(column)})`])
  for (const flag of FLAGS) if (isOmitted([flag])) values.push([flag, fed(flag)])
  const isDecided = stone_type === 'mined' || stone_type === 'lab grown'
  if (!isDecided && isOmitted(GROWTH)) {
    const isGrown = `s.type = 'mined' and g.type = 'lab grown'`
    for (const column of ['type', 'grow_method']) {
      values.push([column, `case when ${isGrown} then g.${column} else s.${column} end`])
    }
  }
  if (values.length === 0) return
  const list = (text: (column: string, value: string) => string) =>
    sql.raw(values.map(([column, value]) => text(column, value)).join(', '))
  await sql`
    update feed_stage s set ${list((column, value) => `${column} = ${value}`)}
    from gem g
    where g.id = s.gem_id and s.kind = 'known'
      and g.product_type = s.product_type and g.shape = s.shape and g.weight = s.weight
      and (${list((_, value) => value)})
        is distinct from (${list((column) => `s.${column}`)})`.execute(db)
}
