import type { FilterOptions, VariantOptions } from '../../../database/tables/jewelry.ts'
import { readGrown } from '../../../feeds/values/growth.ts'
import { isBlankWord } from '../../../feeds/values/spelling.ts'
import { ATTRIBUTE_LABELS } from '../../attributes.ts'
import { ATTRIBUTE_PREFIX, OPTION_PREFIX } from '../columns.ts'
import type { FileRow } from '../reading/kept-rows.ts'
import { readMetal } from './read-metal.ts'
import { grownDiamond, type readKind, readSize, readStones, subTypeKeyOf } from './read-values.ts'
import type { Texts } from './row-texts.ts'

export function draftAttributes(
  texts: Texts,
  cells: FileRow['cells'],
  { type, jewelry_type, sub_type }: ReturnType<typeof readKind>,
): FilterOptions {
  const subTypeKey = subTypeKeyOf(jewelry_type)
  const subType = texts.sub_type?.toLowerCase() ?? sub_type
  const drafted: Record<string, string | string[] | null | undefined> = {
    ...(type === 'jewelry' && { jewelry_type }),
    ...(subTypeKey && { [subTypeKey]: subType }),
    metal: readMetal(texts.metal, texts.karat, texts.metal_color),
    stone: stonesOf(texts),
    stone_shape: type === 'jewelry' ? texts.stone_shape?.toLowerCase() : null,
    size: readSize(texts.size ?? texts.length ?? ''),
    style: texts.style,
    collection: texts.collection,
    condition: texts.condition?.toLowerCase(),
    ...(type === 'watch' && {
      movement: texts.movement?.toLowerCase(),
      strap: texts.strap?.toLowerCase(),
      dial: texts.dial?.toLowerCase(),
    }),
  }
  for (const [column, text] of cells) {
    const key = column.replace(ATTRIBUTE_PREFIX, '')
    if (key === column || !Object.hasOwn(ATTRIBUTE_LABELS[type], key)) continue
    const values = text.split(' | ')
    drafted[key] = values.length === 1 ? values[0] : values
  }
  const said = Object.entries(drafted).filter(
    ([, value]) => value != null && !(typeof value === 'string' && isBlankWord(value)),
  )
  return Object.fromEntries(said) as FilterOptions
}

/** The stones that the row names, in the center and beside it. */
function stonesOf({ stone, side_stone, stone_growth = '' }: Texts): FilterOptions[string] | null {
  // `12 pcs, 0.35 ct` names no stone.
  const side = side_stone !== undefined && !/\d/.test(side_stone) ? side_stone : undefined
  const named = [stone, side].filter((text) => text !== undefined)
  if (named.length === 0) return null
  const stones = readStones(named.join(', '))
  // A stone of another species beside it may be natural.
  if (readGrown(stone_growth) !== true || stones === null) return stones
  return typeof stones === 'string' ? grownDiamond(stones) : stones.map(grownDiamond)
}

/** What a buyer chooses: the options that a JSON file names, otherwise metal, size etc. */
export function draftOptions(
  texts: Texts,
  cells: FileRow['cells'],
  attributes: FilterOptions,
  type: 'jewelry' | 'watch',
): VariantOptions {
  const named = [...cells].filter(([column]) => OPTION_PREFIX.test(column))
  if (named.length > 0) {
    return Object.fromEntries(
      named.map(([column, text]) => [column.replace(OPTION_PREFIX, ''), text.slice(0, 200)]),
    )
  }
  const keys = type === 'watch' ? ['metal', 'dial', 'strap', 'size'] : ['metal', 'size']
  const options = keys.flatMap((key) => {
    const value = attributes[key]
    // The length of a chain is filtered as its size, but chosen as its length.
    const name = key === 'size' && texts.size === undefined ? 'length' : key
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(options)
}
