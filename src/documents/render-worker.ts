import { on } from 'node:events'
import { parentPort } from 'node:worker_threads'
import type { DocumentContent } from './content.ts'
import { drawDocument } from './layout.ts'
import { drawStoneSheet, type StoneSheet } from './stone-sheet.ts'

export type RenderRequest =
  | { content: DocumentContent; logo: Uint8Array | undefined }
  | { stones: StoneSheet }

/** Returns the PDF of a document: the same bytes each time for the same content. */
export async function renderPdf(request: RenderRequest): Promise<Uint8Array> {
  const pdf =
    'stones' in request
      ? drawStoneSheet(request.stones)
      : drawDocument(request.content, request.logo)
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => pdf.once('end', resolve).once('error', reject))
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

/** Renders documents in a thread, one after the other, so that no request waits for a long one. */
async function renderAll(port: NonNullable<typeof parentPort>): Promise<void> {
  for await (const [request] of on(port, 'message')) {
    port.postMessage(await renderPdf(request as RenderRequest))
  }
}

if (parentPort) void renderAll(parentPort)
