/** The first rows of a text file, to compare with the mapping. */
export interface Sample {
  header: string[]
  rows: string[][]
}

const BYTES = 64 * 1024
const ROWS_MAX = 5

/** Undefined when the file is not delimited text; then the report alone is shown. */
export async function sampleOf(file: File): Promise<Sample | undefined> {
  if (/\.(gz|xlsx|json|ndjson)$/i.test(file.name)) return undefined
  const text = await file.slice(0, BYTES).text()
  const [first, ...lines] = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  if (first === undefined) return undefined
  const separator = [',', '\t', ';', '|'].sort((a, b) => countOf(first, b) - countOf(first, a))[0]
  const rows = lines.slice(0, ROWS_MAX).map((line) => cellsOf(line, separator))
  return { header: cellsOf(first, separator), rows }
}

function countOf(text: string, separator: string): number {
  return text.split(separator).length
}

/** Good enough for a preview; the server parses the file properly. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === separator && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += letter
  }
  return [...cells, cell]
}
