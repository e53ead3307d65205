import { certNumInLink } from '../values/certificate.ts'
import { isSurelyNamed, SURE_NAME_MIN } from './header-names.ts'
import { type FeedMapping, shareOf } from './mapping.ts'

const SHARE_MIN = 0.5

/**
 * Uses a column such as `Report #` for certificate numbers also where it has addresses with the
 * number in them. A column of numbers comes first, so that this is decided last.
 */
export function decideNumberLinks(mapping: FeedMapping, values: readonly string[][]): void {
  if (mapping.at.cert_num !== undefined) return
  for (const [index, { column, field }] of mapping.columns.entries()) {
    if (field !== null || mapping.decisions.has(index)) continue
    const texts = isSurelyNamed(column, 'cert_num') ? values[index] : []
    const links = texts.filter((text) => certNumInLink(text) !== undefined).length
    if (links === 0 || links < texts.length * SHARE_MIN) continue
    const reason = `the name means cert_num, and ${shareOf(links, texts.length)} have it in a link`
    mapping.columns[index] = { column, field: 'cert_num', confidence: SURE_NAME_MIN, reason }
    mapping.at.cert_num = index
    return
  }
}
