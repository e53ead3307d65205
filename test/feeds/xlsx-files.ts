import { strToU8, zipSync } from 'fflate'

export type Cell =
  | string
  | number
  | boolean
  | { inline: string }
  /** A number as some other program than Excel writes it. */
  | { number: string }
  /** A number in a format with a currency; see `formats` of the options. */
  | { number: string; format: number }
  | { error: string }
  | { text: string; link: string }
  | { formula: string; value: string }
  | null

/** Writes a workbook as spreadsheets do: shared strings, plain numbers, no empty cells. */
export function workbook(
  sheets: { name: string; rows: Cell[][]; isHidden?: boolean; merged?: string[] }[],
  options: { level?: 0 | 6; formats?: string[] } = {},
): Uint8Array {
  const shared: string[] = []
  const share = (text: string) => {
    const at = shared.indexOf(text)
    return at === -1 ? shared.push(text) - 1 : at
  }
  const files: Record<string, Uint8Array> = {}
  for (const [index, { rows, merged = [] }] of sheets.entries()) {
    const lines = rows.map(
      (cells, row) =>
        `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, `${letters(column)}${row + 1}`, share)).join('')}</row>`,
    )
    files[`xl/worksheets/sheet${index + 1}.xml`] = strToU8(
      `<?xml version="1.0"?><worksheet><sheetData>${lines.join('')}</sheetData>${mergesXml(merged)}${linksXml(rows)}</worksheet>`,
    )
    files[`xl/worksheets/_rels/sheet${index + 1}.xml.rels`] = strToU8(linkTargetsXml(rows))
  }
  files['xl/sharedStrings.xml'] = strToU8(
    `<sst>${shared.map((text) => `<si><r><t>${escapeXml(text.slice(0, 3))}</t></r><r><t xml:space="preserve">${escapeXml(text.slice(3))}</t></r></si>`).join('')}</sst>`,
  )
  if (options.formats) files['xl/styles.xml'] = strToU8(stylesXml(options.formats))
  files['xl/workbook.xml'] = strToU8(
    `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${sheets.map(({ name, isHidden }, index) => `<sheet name="${name}"${isHidden ? ' state="hidden"' : ''} sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
  )
  files['xl/_rels/workbook.xml.rels'] = strToU8(
    `<Relationships>${sheets.map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
  )
  files['[Content_Types].xml'] = strToU8('<Types/>')
  return zipSync(files, { level: options.level ?? 6 })
}

/** Cell formats 0 and 1 are plain; those of the options come after them. */
function stylesXml(formats: string[]): string {
  const patterns = formats.map(
    (code, at) =>
      `<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(code).replaceAll('"', '&quot;')}"/>`,
  )
  const cells = formats.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`)
  return (
    `<styleSheet><numFmts>${patterns.join('')}</numFmts><cellStyleXfs><xf numFmtId="164"/></cellStyleXfs>` +
    `<cellXfs><xf numFmtId="0"/><xf numFmtId="0"/>${cells.join('')}</cellXfs></styleSheet>`
  )
}

function cellXml(cell: Cell, reference: string, share: (text: string) => number): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${reference}" s="1"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'string') return `<c r="${reference}" t="s"><v>${share(cell)}</v></c>`
  if ('number' in cell) {
    const style = 'format' in cell ? ` s="${cell.format + 2}"` : ''
    return `<c r="${reference}"${style}><v>${cell.number}</v></c>`
  }
  if ('text' in cell) return cellXml(cell.text, reference, share)
  if ('formula' in cell) {
    return `<c r="${reference}" t="str"><f>${escapeXml(cell.formula)}</f><v>${escapeXml(cell.value)}</v></c>`
  }
  if ('error' in cell) return `<c r="${reference}" t="e"><v>${cell.error}</v></c>`
  return `<c r="${reference}" t="inlineStr"><is><t>${escapeXml(cell.inline)}</t></is></c>`
}

const letters = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : letters(Math.floor(column / 26) - 1) + letters(column % 26)
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function linksOf(rows: Cell[][]) {
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) =>
      cell !== null && typeof cell === 'object' && 'text' in cell
        ? [{ reference: `${letters(column)}${row + 1}`, link: cell.link }]
        : [],
    ),
  )
}

/** Merged cells, such as `B2:B4`, are written after the rows, too. */
function mergesXml(areas: string[]): string {
  const merges = areas.map((area) => `<mergeCell ref="${area}"/>`)
  return merges.length === 0 ? '' : `<mergeCells>${merges.join('')}</mergeCells>`
}

/** Hyperlinks are written after the rows, and their addresses in another part of the workbook. */
function linksXml(rows: Cell[][]): string {
  const links = linksOf(rows).map(
    ({ reference }, index) => `<hyperlink ref="${reference}" r:id="rId${index + 1}"/>`,
  )
  return links.length === 0 ? '' : `<hyperlinks>${links.join('')}</hyperlinks>`
}

function linkTargetsXml(rows: Cell[][]): string {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink'
  const targets = linksOf(rows).map(
    ({ link }, index) =>
      `<Relationship Id="rId${index + 1}" Type="${type}" Target="${escapeXml(link)}" TargetMode="External"/>`,
  )
  return `<Relationships>${targets.join('')}</Relationships>`
}
