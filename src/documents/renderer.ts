import { startThread } from '../lib/start-thread.ts'
import { createThreadQueue } from '../lib/thread-queue.ts'
import type { DocumentContent } from './content.ts'
import type { RenderRequest } from './render-worker.ts'

/** Draws PDFs in a thread. A document of one line takes some milliseconds, a long one hundreds. */
export interface Renderer {
  render(request: RenderRequest): Promise<Uint8Array>
  close(): Promise<void>
}

/** A document is rendered once; beyond this many at a time callers try again. */
const WAITING_MAX = 100
/** A new thread first reads the tables of the fonts, which takes ten times as long as a page. */
const IDLE_MS = 300_000

export function createRenderer(): Renderer {
  const queue = createThreadQueue<RenderRequest, Uint8Array>({
    start: () => startThread(import.meta.url, 'render-worker', {}),
    waitingMax: WAITING_MAX,
    idleMs: IDLE_MS,
    busy: 'Too many documents are being rendered; try again in a moment.',
  })
  return { render: (request) => queue.run(request), close: () => queue.close() }
}

/** Fails when the logo cannot be drawn. A damaged picture ends the thread, not the process. */
export async function tryLogo(renderer: Renderer, logo: Uint8Array): Promise<void> {
  await renderer.render({ content: SAMPLE, logo })
}

/** A document that shows nothing but the logo. */
const SAMPLE: DocumentContent = {
  kind: 'invoice',
  number: '',
  issued_on: '2026-01-01',
  due_on: null,
  paper: 'a4',
  is_test: true,
  currency_code: '',
  seller: { name: '', address: [], tax_number: '', bank: [], logo: null },
  bill_to: { name: '', lines: [] },
  ship_to: { name: '', lines: [] },
  details: [],
  lines: [],
  sums: null,
  paragraphs: [],
  signatures: [],
}
