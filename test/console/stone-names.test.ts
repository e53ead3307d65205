import { describe, expect, it } from 'vitest'
import type { Gem } from '../../console/src/api/gems.ts'
import { COLUMNS, exportedColumns, plainOf } from '../../console/src/search/table/columns.ts'
import { gemName, labName } from '../../console/src/stones/labels.ts'

const STONE = {
  sku: 'K7Q2M4X9TB',
  product_type: 'diamond',
  shape: 'round',
  weight: 1.02,
  color: 'F',
  clarity: 'VS1',
  lab: null,
  lab_name: 'HRD',
  treatment: null,
} as unknown as Gem
const TREATED: Gem = { ...STONE, treatment: 'laser drilled' }

describe('a stone', () => {
  it('that is a treated diamond says so in its name', () => {
    expect(gemName(STONE)).toBe('1.02 ct round F VS1')
    expect(gemName(TREATED)).toBe('1.02 ct round F VS1, laser drilled')
  })

  it('is never exported without its treatment', () => {
    const columns = COLUMNS.filter(({ id }) => id === 'clarity')
    expect(exportedColumns([STONE], columns)).toEqual(columns)
    const [, treatment] = exportedColumns([STONE, TREATED], columns)
    expect([STONE, TREATED].map((gem) => plainOf(treatment, gem))).toEqual(['', 'laser drilled'])
    expect(exportedColumns([TREATED], COLUMNS)).toEqual(COLUMNS)
  })

  it('has the laboratory of its certificate, also one that is not in the list', () => {
    expect(labName(STONE)).toBe('HRD')
    expect(labName({ ...STONE, lab: 'GIA', lab_name: 'G.I.A.' })).toBe('GIA')
    const column = COLUMNS.find(({ id }) => id === 'lab')
    expect(column?.show(STONE)).toBe('HRD')
  })
})
