import type { DocumentContent, DocumentLine } from '../src/documents/content.ts'
import { renderPdf } from '../src/documents/render-worker.ts'

/**
 * How long it takes to draw an invoice of one line and one of 200 lines, in the thread that draws
 * documents. The first of a process also reads the tables of the fonts.
 *
 *     npx tsx bench/documents.ts [rounds]     50 unless given
 */
const rounds = Number(process.argv[2] ?? 50)

for (const count of [1, 20, 200]) {
  const content = invoiceOf(count)
  const first = await timeOf(content)
  const times: { wall: number; cpu: number; bytes: number }[] = []
  for (let round = 0; round < rounds; round++) times.push(await timeOf(content))
  const median = (read: (each: (typeof times)[number]) => number) =>
    times.map(read).sort((a, b) => a - b)[Math.floor(rounds / 2)]
  console.log(
    `${String(count).padStart(3)} lines: ${median(({ wall }) => wall).toFixed(1)} ms, ` +
      `${median(({ cpu }) => cpu).toFixed(1)} ms of processor time ` +
      `(first ${first.wall.toFixed(0)} ms), ${(first.bytes / 1024).toFixed(0)} kB`,
  )
}

async function timeOf(content: DocumentContent) {
  const cpuStart = process.cpuUsage()
  const start = performance.now()
  const { length: bytes } = await renderPdf({ content, logo: undefined })
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(cpuStart)
  return { wall, cpu: (user + system) / 1000, bytes }
}

function invoiceOf(count: number): DocumentContent {
  return {
    kind: 'invoice',
    number: 'INV-2026-000001',
    issued_on: '2026-01-31',
    due_on: '2026-03-02',
    paper: 'a4',
    is_test: false,
    currency_code: 'USD',
    seller: {
      name: 'Demo Gems',
      address: ['48 Market Street', 'New York, NY 10036', 'United States'],
      tax_number: 'US 98-7654321',
      bank: ['Example Bank', 'Account 000123456', 'SWIFT EXAMUS33'],
      logo: null,
    },
    bill_to: { name: 'Facet Street', lines: ['12 Elm Street', 'Springfield, IL 62701'] },
    ship_to: { name: 'Facet Street', lines: ['12 Elm Street', 'Springfield, IL 62701'] },
    details: [
      { label: 'Date', value: '31 January 2026' },
      { label: 'Due', value: '2 March 2026' },
      { label: 'Terms', value: '30 days net' },
      { label: 'Order', value: 'PO-2026-17' },
    ],
    lines: Array.from({ length: count }, (_, index) => lineOf(index)),
    sums: {
      rows: [{ label: 'Goods', amount: '1700.00' }],
      total: { label: 'Total', amount: '1700.00' },
      after: [{ label: 'Balance due', amount: '1700.00' }],
    },
    paragraphs: [],
    signatures: [],
  }
}

/** The numbers differ from line to line, as those of real stones do. */
function lineOf(index: number): DocumentLine {
  return {
    sku: `K7Q2M4X${String(index).padStart(3, '0')}`,
    title: `1.${50 + (index % 50)} ct round natural diamond`,
    facts: [
      'Color F · Clarity VS1 · Cut EX',
      'Polish EX · Symmetry VG · Fluorescence None',
      `7.${40 + (index % 50)} × 7.36 × 4.55 mm · GIA 22312${String(34567 + index * 7)}`,
    ],
    quantity: 1,
    price: `${1700 + index * 3}.00`,
    amount: `${1700 + index * 3}.00`,
  }
}
