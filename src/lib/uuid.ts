import { randomUUID } from 'node:crypto'

/** A UUID version 7: it starts with the time, so new rows are close together in an index. */
export function newUuid(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  // The rest is that of a random one, of which Node makes many at once.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** A UUID version 8 that is the same for the same hash. */
export function uuidFrom(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16))
  bytes[6] = 0x80 | (bytes[6] & 0x0f)
  bytes[8] = 0x80 | (bytes[8] & 0x3f)
  const hex = bytes.toString('hex')
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)]
  return `${a}-${b}-${c}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
