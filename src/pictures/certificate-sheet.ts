import { escapeXml, svgFrame } from './svg.ts'

const WIDTH = 640
const HEIGHT = 900
const INK = '#28324a'

/** Draws a certificate for a demo stone. It says that it is a sample, as no lab issued it. */
export function drawCertificate(certNum: string, rows: readonly [string, string][]): string {
  const lines = rows.map(([label, value], index) => {
    const y = 250 + index * 40
    return (
      `<text x="72" y="${y}" fill="#6a7488">${escapeXml(label)}</text>` +
      `<text x="568" y="${y}" text-anchor="end" fill="${INK}">${escapeXml(value)}</text>` +
      `<path d="M72 ${y + 12}H568" stroke="#dde2ea"/>`
    )
  })
  const content =
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fdfdfb"/>` +
    `<rect x="24" y="24" width="592" height="852" fill="none" stroke="#b9a56b" stroke-width="2"/>` +
    `<g font-family="Georgia, serif" text-anchor="middle" fill="${INK}">` +
    `<text x="320" y="98" font-size="34">Grading report</text>` +
    `<text x="320" y="136" font-size="18">Sample sheet of the demo market</text>` +
    `<text x="320" y="186" font-size="22">No. ${escapeXml(certNum)}</text></g>` +
    `<g font-family="system-ui, sans-serif" font-size="17">${lines.join('')}</g>` +
    `<text x="320" y="846" font-size="13" text-anchor="middle" fill="#6a7488" ` +
    `font-family="system-ui, sans-serif">Drawn by Pavilion. No laboratory issued it.</text>`
  return svgFrame({ width: WIDTH, height: HEIGHT }, `Sample report ${certNum}`, content)
}
