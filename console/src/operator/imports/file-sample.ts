/** The first rows of a text file, for a person to compare the mapping with. */
export interface Sample {
  header: string[]
  rows: string[][]
}

const BYTES = 64 * 1024
const ROWS_MAX = 5

/** Undefined when the file is not separated text: then the report has to do. */
export async function sampleOf(file: File): Promise<Sample | undefined> {
  if (/\.(gz|xlsx|json|ndjson)$/i.test(file.name)) return undefined
  const text = await file.slice(0, BYTES).text()
  const [first, ...lines] = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  if (first === undefined) return undefined
  const mark = [',', '\t', ';', '|'].sort((a, b) => countOf(first, b) - countOf(first, a))[0]
  const rows = lines.slice(0, ROWS_MAX).map((line) => cellsOf(line, mark))
  return { header: cellsOf(first, mark), rows }
}

function countOf(text: string, mark: string): number {
  return text.split(mark).length
}

/** Good enough to look at; the server reads the file properly. */
function cellsOf(line: string, mark: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === mark && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += letter
  }
  return [...cells, cell]
}
