import type { RawRow } from '../reading/raw-row.ts'
import { isDamagedNumber, readCertNum, readCertNums, readLab } from '../values/words.ts'
import type { Notes } from './notes.ts'
import type { CellReader } from './row-reader.ts'

export interface CertificateFields {
  lab: string | null
  /** As the supplier wrote it. */
  lab_name: string | null
  cert_num: string | null
  /** The other stone's, when the row has two. */
  cert_num_2: string | null
}

/** Reads the laboratory and the number of the certificate. */
export function draftCertificate(cell: CellReader): CertificateFields {
  const name = cell('lab_name')
  const text = cell('lab')
  const lab = readLab(text === '' ? name : text)
  const [first, other] = readCertNums(cell('cert_num'))
  const cert_num = first ?? lab.cert_num
  const cert_num_2 = other ?? readCertNum(cell('cert_num_2')) ?? null
  return {
    lab: lab.lab,
    lab_name: name === '' ? lab.lab_name : readLab(name).lab_name,
    cert_num,
    cert_num_2: cert_num_2 === cert_num ? null : cert_num_2,
  }
}

/** Notes what a stone is sold without: a laboratory of our list, a number that can be read. */
export function noteCertificate(
  cell: CellReader,
  { lab, lab_name }: CertificateFields,
  row: RawRow,
  notes: Notes,
): void {
  if (lab === null && lab_name !== null) notes.otherLab(lab_name)
  const text = cell('cert_num')
  if (isDamagedNumber(text)) notes.unreadable('cert_num', text, row.row)
}
