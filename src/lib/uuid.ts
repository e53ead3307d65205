import { randomUUID } from 'node:crypto'

/** A UUID version 7: it starts with the time, so new rows are close together in an index. */
export function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  // The rest is that of a random one, of which Node makes many at once.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is written like a UUID of any version; PostgreSQL refuses to compare others. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
