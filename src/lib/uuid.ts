import { randomBytes } from 'node:crypto'

/** A UUID version 7: it starts with the time, so new rows are close together in an index. */
export function newUuid(now: number = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = 0x70 | (bytes[6] & 0x0f)
  bytes[8] = 0x80 | (bytes[8] & 0x3f)
  const hex = bytes.toString('hex')
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)]
  return `${a}-${b}-${c}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
