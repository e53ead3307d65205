import { expect, it } from 'vitest'
import { explainedColumns } from '../../console/src/imports/explained-columns.ts'

it('the columns of a refused file are those of the mapping that explains it', () => {
  const columns = explainedColumns({
    '//': ['No column was recognized as price; name it here.'] as never,
    type: { value: 'lab grown' },
    'Cts.': 'weight',
    Memo: 'ignore',
    Qqq: { field: null, note: 'not used: the name is not known; values such as "7001"' },
    Shade: { field: 'shade', note: 'unsure: by its values' },
    Empty: null,
    Price: { ask: 'Write "price_per_carat".', note: 'two columns may be the price' },
  })
  expect(columns.map(({ column, field }) => [column, field])).toEqual([
    ['Cts.', 'weight'],
    ['Memo', null],
    ['Qqq', null],
    ['Shade', 'shade'],
    ['Empty', null],
    ['Price', null],
  ])
})
