import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { JOURNAL_COLUMNS } from '../../src/feeds/importing/stage-columns.ts'
import { GEM_COLUMNS, GEM_FIELDS, STONE_FIELDS } from '../../src/gems/gem.ts'
import { GEM_STATES } from '../../src/gems/gem-life.ts'
import * as lists from '../../src/reference/attributes.ts'
import { insertStone, useDatabase } from '../support/stones.ts'

const database = useDatabase()

/** The quoted words of a check constraint, in the order of the migration. */
async function wordsOf(constraint: string): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = 'gem'::regclass and conname = ${constraint}`.execute(database.current.db)
  expect(rows, constraint).toHaveLength(1)
  return [...rows[0].definition.matchAll(/'([^']*)'/g)].map((match) => match[1])
}

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ column_name: string }>`
    select column_name from information_schema.columns
    where table_schema = 'public' and table_name = ${table}`.execute(database.current.db)
  return rows.map(({ column_name }) => column_name)
}

describe('the table of gems', () => {
  it('has the columns of gem.ts, and the journal of imports those that a feed writes', async () => {
    expect(new Set(await columnsOf('gem'))).toEqual(new Set(GEM_COLUMNS))
    const ofJournal = ['import_uuid', 'gem_id', 'quantity_after', ...JOURNAL_COLUMNS]
    expect(new Set(await columnsOf('import_before'))).toEqual(new Set(ofJournal))
  })

  it('has the reference lists in its checks, in their order', async () => {
    const checks = {
      gem_type_check: lists.GEM_TYPES,
      gem_shape_check: lists.SHAPES,
      gem_cut_code_check: lists.CUT_CODES,
      gem_clarity_check: lists.CLARITIES,
      gem_clarity_max_check: lists.CLARITIES,
      gem_fancy_color_intensity_check: lists.FANCY_INTENSITIES,
      gem_cut_grade_check: lists.CUT_GRADES,
      gem_polish_grade_check: lists.FINISH_GRADES,
      gem_symmetry_grade_check: lists.FINISH_GRADES,
      gem_fluorescence_check: lists.FLUORESCENCES,
      gem_lab_check: lists.LABS,
      gem_culet_size_check: lists.CULETS,
      gem_girdle_min_check: lists.GIRDLES,
      gem_girdle_max_check: lists.GIRDLES,
      gem_state_check: GEM_STATES,
      color_fits_the_stone: ['gemstone', ...lists.HUES, ...lists.COLORS],
    }
    for (const [constraint, words] of Object.entries(checks)) {
      expect([constraint, await wordsOf(constraint)]).toEqual([constraint, [...words]])
    }
  })

  it('limits every column that is written into JSON without escaping', async () => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = 'gem'::regclass and contype = 'c'`.execute(database.current.db)
    const isLimited = (column: string) =>
      rows.some(({ definition }) => definition.startsWith(`CHECK ((${column} `))
    const words = STONE_FIELDS.filter((name) => GEM_FIELDS[name].shown === 'word')
    expect(words.filter((column) => !isLimited(column))).toEqual(['sku'])
  })

  it.each([
    ['shape', { shape: 'rond' }, 'gem_shape_check'],
    ['clarity', { clarity: 'SI3' }, 'gem_clarity_check'],
    ['hue without is_fancy', { color: 'YL' }, 'color_fits_the_stone'],
    ['grade with is_fancy', { color: 'D', is_fancy: true }, 'color_fits_the_stone'],
    ['price of nothing', { wholesale_price: 0 }, 'gem_wholesale_price_check'],
    ['second piece of a single stone', { quantity: 2 }, 'single_stones_are_one'],
    ['sold stone in stock', { state: 'sold' as const }, 'sold_stones_are_out_of_stock'],
    [
      'gemstone without a species',
      { product_type: 'gemstone' as const },
      'gemstones_have_a_species',
    ],
  ])('refuses to store a %s', async (_, columns, constraint) => {
    const insert = insertStone(database.current.db, columns)
    await expect(insert).rejects.toMatchObject({ code: '23514', constraint })
  })
})
