import type { MediaView } from '../../../src/reference/media.ts'
import { call } from './client.ts'
import { session } from './session-store.ts'

/** A picture, a video or a certificate that this server fetches from the supplier. */
export function readMedium(sku: string, view: MediaView, signal?: AbortSignal): Promise<Blob> {
  return call('GET', '/api/v3/inventory/media/{sku}/{view}', { path: { sku, view }, signal })
}

/** One frame of the 360 degree view of a stone. */
export function readFrame(sku: string, frame: number, signal?: AbortSignal): Promise<Blob> {
  const path = { sku, frame: String(frame) }
  return call('GET', '/api/v3/inventory/media/{sku}/frames/{frame}', { path, signal })
}

/** Whether the market fetches suppliers' pictures. */
export function showsMedia(): boolean {
  return session.get()?.shows_media ?? false
}
