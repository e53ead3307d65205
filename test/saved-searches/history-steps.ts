import fc from 'fast-check'

/** How many stones the suppliers of a history list. */
export const STONES = 4
const COLORS = ['D', 'E', 'F', 'G']

/** A step of a history; the numbers choose among what there is. */
export type Step =
  | { act: 'import'; supplier: number; stones: ({ price: number; color: string } | null)[] }
  | { act: 'undo'; supplier: number }
  | { act: 'hold' | 'order' | 'reprice' | 'disable' | 'enable'; stone: number; who: number }
  | { act: 'release' | 'cancel'; who: number }
  | { act: 'save' | 'change' | 'delete'; who: number; search: number }
  | { act: 'other node' | 'raise' }

const number = fc.nat({ max: 999 })
const listed = fc.option(
  fc.record({ price: fc.constantFrom(4000, 5000, 6000), color: fc.constantFrom(...COLORS) }),
  { freq: 4 },
)
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('import' as const),
      supplier: fc.nat({ max: 1 }),
      stones: fc.array(listed, { minLength: STONES, maxLength: STONES }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('undo' as const), supplier: fc.nat({ max: 1 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom('hold' as const, 'order', 'reprice', 'disable', 'enable'),
      stone: number,
      who: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('release' as const, 'cancel'),
      who: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom('save' as const, 'save', 'change', 'delete'),
      who: fc.nat({ max: 1 }),
      search: number,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('other node' as const, 'raise') }),
  },
)
