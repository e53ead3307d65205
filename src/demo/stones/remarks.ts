import type { GemType } from '../../reference/attributes.ts'
import { type Chance, choices } from '../chance.ts'
import type { DemoGem } from './gem.ts'

const SHADES = choices<string | null>([
  ['None', 55],
  [null, 36],
  ['Light Brown', 4],
  ['Brown', 2],
  ['Green', 1.5],
  ['Gray', 1.5],
])
const MILKINESS = choices<string | null>([
  ['None', 60],
  [null, 34],
  ['Light', 4],
  ['Medium', 1.5],
  ['Heavy', 0.5],
])
const BLACK = choices<string | null>([
  [null, 55],
  ['None', 38],
  ['Pinpoint', 4],
  ['Small', 3],
])
/** Few mined diamonds are treated, and they cost much less. */
const TREATED_SHARE = 0.006
const TREATMENTS = ['laser drilled', 'clarity enhanced', 'HPHT', 'irradiated'] as const
export const TREATED_PRICE_FACTOR = 0.55

type Remarks = Pick<DemoGem, 'treatment' | 'shade' | 'milky' | 'black_inclusion'>

/** What suppliers remark about a diamond besides its grades. */
export function drawRemarks(chance: Chance, type: GemType): Remarks {
  const isTreated = type === 'mined' && chance.hits(TREATED_SHARE)
  return {
    treatment: isTreated ? chance.oneOf(TREATMENTS) : null,
    shade: chance.pick(SHADES),
    milky: chance.pick(MILKINESS),
    black_inclusion: chance.pick(BLACK),
  }
}
