import { randomBytes } from 'node:crypto'

/** A UUID version 7: it starts with the time, so new rows are close together in an index. */
export function newUuid(now: number = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  return uuidOf(bytes, 7)
}

/** A UUID version 8 that is the same for the same hash. */
export function uuidFrom(hash: Buffer): string {
  return uuidOf(Buffer.from(hash.subarray(0, 16)), 8)
}

function uuidOf(bytes: Buffer, version: number): string {
  bytes[6] = (version << 4) | (bytes[6] & 0x0f)
  bytes[8] = 0x80 | (bytes[8] & 0x3f)
  const hex = bytes.toString('hex')
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)]
  return `${a}-${b}-${c}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
