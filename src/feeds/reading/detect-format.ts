import { decodeStart } from './decode-text.ts'
import { refused } from './refusals.ts'

/** How a file is read, which its first bytes tell; names and media types are often wrong. */
type FileKind = 'zip' | 'compound' | 'markup' | 'json' | 'delimited'

/** Files that people send by mistake, by their first bytes in hexadecimal. */
const NOT_READ: readonly [string, string][] = [
  ['25504446', 'a PDF document'],
  ['89504e47', 'an image (PNG)'],
  ['ffd8ff', 'an image (JPEG)'],
  ['47494638', 'an image (GIF)'],
  ['49492a00', 'an image (TIFF)'],
  ['4d4d002a', 'an image (TIFF)'],
  ['52494646', 'an image or a film (RIFF)'],
  ['526172211a07', 'a RAR archive'],
  ['377abcaf271c', 'a 7-Zip archive'],
  ['425a68', 'a bzip2 archive'],
  ['fd377a585a00', 'an xz archive'],
  ['28b52ffd', 'a zstd archive'],
  ['7b5c727466', 'a rich text document (RTF)'],
  ['53514c69746520', 'an SQLite database'],
  ['0001000053746e64617264', 'an Access database'],
  ['4d5a9000', 'a program for Windows'],
  ['7f454c46', 'a program for Linux'],
  ['0900040000', 'an Excel 2 file'],
  ['090206000000', 'an Excel 3 file'],
  ['090406000000', 'an Excel 4 file'],
  ['504b0506', 'an empty ZIP archive'],
]

/** Returns how the file is read; refuses what cannot be, by name. */
export function detectFormat(start: Uint8Array): FileKind {
  const hex = Buffer.from(start.subarray(0, 16)).toString('hex')
  const isFilm = hex.slice(8, 16) === '66747970'
  const seen = isFilm ? 'a film' : NOT_READ.find(([bytes]) => hex.startsWith(bytes))?.[1]
  if (seen !== undefined) throw unreadable(seen)
  if (hex.startsWith('504b0304')) return 'zip'
  if (hex.startsWith('d0cf11e0a1b11ae1')) return 'compound'
  const text = decodeStart(start).trimStart()
  if (/^(MIME-Version:|From: .*\r?\n)/i.test(text)) throw unreadable('a web archive (MHTML)')
  if (/^<[a-z!?]/i.test(text)) return 'markup'
  return text.startsWith('[') || text.startsWith('{') ? 'json' : 'delimited'
}

/** The refusal of a file of a known kind that is not read. */
export function unreadable(seen: string): Error {
  return refused(
    `This is ${seen}, which cannot be read; send the stock list as CSV, XLSX, XLS, XML or JSON.`,
  )
}
