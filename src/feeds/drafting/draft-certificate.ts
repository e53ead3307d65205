import type { RawRow } from '../reading/raw-row.ts'
import { labBeforeNumber, readCertNum, readCertNums, readLab } from '../values/certificate.ts'
import { saysNothing } from '../values/spelling.ts'
import type { Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

export interface CertificateFields {
  lab: string | null
  /** As the supplier wrote it. */
  lab_name: string | null
  cert_num: string | null
  /** The other stone's, when the row has two. */
  cert_num_2: string | null
  /** The column of the number has something else. */
  isOther: boolean
}

/** Reads the laboratory and the number of the certificate. */
export function draftCertificate(cell: CellReader): CertificateFields {
  const name = cell('lab_name')
  const number = cell('cert_num')
  const column = readLab(cell('lab') === '' ? name : cell('lab'))
  // Without the laboratory, listings of one certificate would not be recognised as one stone.
  const lab = column.lab_name === null ? { ...column, ...labOf(number) } : column
  const [first, other] = readCertNums(number)
  const cert_num = first ?? lab.cert_num
  const cert_num_2 = other ?? readCertNum(cell('cert_num_2')) ?? null
  return {
    lab: lab.lab,
    lab_name: name === '' ? lab.lab_name : readLab(name).lab_name,
    cert_num,
    cert_num_2: cert_num_2 === cert_num ? null : cert_num_2,
    isOther: first === undefined && number !== '',
  }
}

/** The laboratory in the cell of the number. */
function labOf(number: string): { lab: string | null; lab_name: string | null } {
  const { lab, lab_name } = readLab(labBeforeNumber(number))
  return { lab, lab_name }
}

/** Notes what a stone is sold without: a laboratory of our list, a number that can be read. */
export function noteCertificate(
  cell: CellReader,
  { lab, lab_name, isOther }: CertificateFields,
  row: RawRow,
  notes: Notes,
): void {
  if (lab === null && lab_name !== null) notes.otherLab(lab_name)
  if (!isOther) return
  const text = cell('cert_num')
  if (!saysNothing(text)) notes.unreadable('cert_num', text, row.row)
}
