import type { FieldName } from '../mapping/fields.ts'
import { createColumnScan, type FeedMapping, isIgnored } from '../mapping/mapping.ts'
import { type RawRow, textAt } from '../reading/raw-row.ts'
import {
  isCertainlyOff,
  isTaken,
  isTakenColumn,
  isTakenPart,
  readAvailability,
  remarksTaken,
  saysNoneLeft,
  saysTaken,
} from '../values/availability.ts'
import { isCellError, lastName } from '../values/spelling.ts'

/** Why a stone is not offered: it is off the market now, or what its column says is unknown. */
interface NoOffer {
  at: number
  reason: string
  /** Nobody knows what the column says: it may be sold, so it is not offered. */
  isUnknown: boolean
}

/** How a column says that a stone is not on offer. */
interface StatusColumn {
  at: number
  says: 'availability' | 'status' | 'taken' | 'words' | 'remark' | 'count'
}

const OFFER_FIELDS: readonly (FieldName | null)[] = ['availability', 'is_active']
const STATUS = /STATUS|AVAILAB|^MEMO$/
/** How many there are: none takes the row off. `Parcel Stones` is 0 for many a single stone. */
const COUNT =
  /^(?:STOCK|AVAILABLE|ONHAND)?(?:QUANTITY|QTY)(?:AVAILABLE|ONHAND|INSTOCK)?$|^PCS$|^PIECES$/
/** Where a certificate number belongs, some suppliers write "Sold". */
const CERTIFICATE = /^(?:LAB|GRADING)?(?:CERT(?:I|IFICATE)?|REPORT)(?:NO|NUM|NUMBER|ID)?\d?$/
const CERTIFICATE_FIELDS: readonly (FieldName | null)[] = ['cert_num', 'cert_num_2', 'lab']
/** The same goes for a price or a discount, and for the first cell of a row that says no more. */
const WRITTEN_OVER: ReadonlySet<FieldName | null> = new Set<FieldName | null>([
  'price_per_carat',
  'total_price',
  'discount_percentage',
  'shape',
  'weight',
])
/** Here the place may be "Memo", and a remark "Sold". */
const PLACE = /LOCATION|^LOC$|^PLACE$/
const REMARK = /REMARK|COMMENT|^NOTES?$/
/** Elsewhere `Not available` stands for an empty cell: of a place, or of the lab's comments. */
const OWN_REMARK =
  /^(?:STONE|STOCK|MEMBER|VENDOR|SUPPLIER|SELLER|INTERNAL)?(?:REMARKS?|COMMENTS?|NOTES?|RMK?)$/

/** Any column about the offer can take a stone off the market; only one needs to. */
export function createOfferCheck(mapping: FeedMapping) {
  const columnsNow = createColumnScan(mapping, statusColumns)
  return ({ cells, part, takenBy }: RawRow): NoOffer | undefined => {
    const isTakenHere = takenBy !== undefined || (part !== undefined && isTakenPart(part))
    if (isTakenHere) return notOffered(mapping.at.vendor_sku ?? 0)
    for (const { at, says } of columnsNow()) {
      const text = textAt(cells, at)
      if (text === '') continue
      if (says !== 'availability') {
        if (TAKES_OFF[says](text)) return notOffered(at)
        continue
      }
      const isOffered = isCellError(text) ? undefined : readAvailability(text)
      if (isOffered === undefined) {
        return { at, reason: 'The availability is not known', isUnknown: true }
      }
      if (!isOffered) return notOffered(at)
    }
    return undefined
  }
}

/** What takes a stone off the market in a column that does not say that it is on offer. */
const TAKES_OFF: Record<
  Exclude<StatusColumn['says'], 'availability'>,
  (text: string) => boolean
> = {
  status: isCertainlyOff,
  taken: isTaken,
  words: saysTaken,
  remark: remarksTaken,
  count: saysNoneLeft,
}

function notOffered(at: number): NoOffer {
  return { at, reason: 'The stone is not on offer', isUnknown: false }
}

function statusColumns({ columns }: FeedMapping): StatusColumn[] {
  return columns.flatMap((mapped, at): StatusColumn[] => {
    const { column, field } = mapped
    if (isIgnored(mapped)) return []
    if (OFFER_FIELDS.includes(field)) return [{ at, says: 'availability' }]
    const name = lastName(column)
    if (field === 'country_code' && PLACE.test(name)) return [{ at, says: 'words' }]
    const isCertificate = field === null && CERTIFICATE.test(name)
    if (isCertificate || CERTIFICATE_FIELDS.includes(field)) return [{ at, says: 'words' }]
    if (WRITTEN_OVER.has(field)) return [{ at, says: 'words' }]
    const isCount = (field === null || field === 'parcel_stones') && COUNT.test(name)
    if (isCount) return [{ at, says: 'count' }]
    if (field !== null && field !== 'memo') return []
    if (isTakenColumn(column)) return [{ at, says: 'taken' }]
    if (STATUS.test(name)) return [{ at, says: 'status' }]
    if (OWN_REMARK.test(name)) return [{ at, says: 'remark' }]
    return PLACE.test(name) || REMARK.test(name) ? [{ at, says: 'words' }] : []
  })
}
