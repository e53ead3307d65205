import type { FieldName } from '../mapping/fields.ts'
import { DECIDED, type FeedMapping } from '../mapping/mapping.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { fold } from '../values/spelling.ts'
import { isTaken, readAvailability, readFlag } from '../values/words.ts'

/** Why a stone is not offered: it is off the market now, or what its column says is unknown. */
interface NoOffer {
  at: number
  kind: 'off' | 'rejected'
  reason: string
}

/** How a column says that a stone is not on offer. */
type StatusColumn = { at: number; says: 'availability' | 'status' | 'taken' | 'words' }

const OFFER_FIELDS: readonly (FieldName | null)[] = ['availability', 'is_active']
/** Here a yes, a date or a name takes the stone off: `Is Sold Out`, `Hold`. */
const TAKEN = new RegExp(
  '^(?:IS|STONE|DIAMOND)?(?:SOLD(?:OUT)?|(?:ON)?HOLD|HELD|RESERVED|ONMEMO|MEMOOUT|OUTONMEMO|' +
    'DELETED|BLOCKED)$',
)
const STATUS = /STATUS|AVAILAB|^MEMO$/
/** Here the place may be "Memo", and a remark "Sold". */
const PLACE = /LOCATION|^LOC$|^PLACE$/
const REMARK = /REMARK|COMMENT|^NOTES?$/
const TAKEN_WORDS = new RegExp(
  '^(sold( ?out)?|(on )?hold|reserved|(on |out on )?memo|memo ?out)\\W*$|' +
    '^(sold to|(on )?hold (for|till?|until)|on memo|reserved for)\\b',
  'i',
)

/** Any column about the offer can take a stone off the market; only one needs to. */
export function createOfferCheck(mapping: FeedMapping) {
  let columns: StatusColumn[] = []
  let known = -1
  return ({ cells }: RawRow): NoOffer | undefined => {
    // A JSON file may bring new columns at any stone.
    if (known !== mapping.columns.length) columns = statusColumns(mapping)
    known = mapping.columns.length
    for (const { at, says } of columns) {
      const text = cells[at]?.trim() ?? ''
      if (text === '') continue
      if (says === 'words') {
        if (TAKEN_WORDS.test(text)) return { at, kind: 'off', reason: 'The stone is not on offer' }
        continue
      }
      const isOffered = says === 'taken' ? !isTaken(text) : readAvailability(text)
      if (isOffered === undefined && says === 'availability') {
        return { at, kind: 'rejected', reason: 'The availability is not known' }
      }
      // `No` or `0` in a second status column may answer another question than this one.
      const isCertain = says !== 'status' || (fold(text).length > 2 && readFlag(text) === undefined)
      if (isOffered === false && isCertain) {
        return { at, kind: 'off', reason: 'The stone is not on offer' }
      }
    }
    return undefined
  }
}

function statusColumns({ columns }: FeedMapping): StatusColumn[] {
  return columns.flatMap(({ column, field, reason }, at): StatusColumn[] => {
    if (reason === DECIDED.ignored) return []
    if (OFFER_FIELDS.includes(field)) return [{ at, says: 'availability' }]
    const name = fold(column.slice(column.lastIndexOf('.') + 1))
    if (field === 'country_code' && PLACE.test(name)) return [{ at, says: 'words' }]
    if (field !== null && field !== 'memo') return []
    if (TAKEN.test(name)) return [{ at, says: 'taken' }]
    if (STATUS.test(name)) return [{ at, says: 'status' }]
    return PLACE.test(name) || REMARK.test(name) ? [{ at, says: 'words' }] : []
  })
}
