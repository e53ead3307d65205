import type { RawRow } from '../reading/raw-row.ts'
import {
  isDamagedNumber,
  labSaysGrown,
  readCertNum,
  readGrowMethod,
  readGrown,
  readLab,
} from '../values/words.ts'
import type { Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

export interface CertificateFields {
  type: 'mined' | 'lab grown'
  grow_method: 'CVD' | 'HPHT' | null
  lab: string | null
  lab_original: string | null
  cert_num: string | null
}

/** Laboratories start the certificate numbers of lab grown stones like this. */
const GROWN_CERTIFICATE = /^LG\s?-?\d/i

/**
 * Reads the certificate and whether the stone is lab grown. Any sign of it (column, growth type,
 * certificate prefix, the laboratory's name) is enough: a lab grown stone sold as mined is the
 * worst mistake that a market can make.
 */
export function draftCertificate(cell: CellReader, row: RawRow, notes: Notes): CertificateFields {
  const labText = cell('lab')
  const lab = readLab(labText)
  if (lab.lab_original !== null) notes.otherLab(lab.lab_original)
  const numberText = cell('cert_num')
  if (isDamagedNumber(numberText)) notes.unreadable('cert_num', numberText, row.row)
  const certNum = readCertNum(numberText) ?? lab.cert_num
  const typeText = cell('type')
  const growMethod = readGrowMethod(cell('grow_method')) ?? readGrowMethod(typeText) ?? null
  const said = typeText === '' ? undefined : readGrown(typeText)
  const isNatural = /^natural/i.test(cell('grow_method'))
  const isGrown =
    said === true ||
    (growMethod !== null && !isNatural) ||
    (certNum !== null && GROWN_CERTIFICATE.test(certNum)) ||
    labSaysGrown(labText)
  if (isGrown && said === false) notes.unreadable('type', typeText, row.row)
  return {
    type: isGrown ? 'lab grown' : 'mined',
    grow_method: isGrown ? growMethod : null,
    lab: lab.lab,
    lab_original: lab.lab_original,
    cert_num: certNum,
  }
}
