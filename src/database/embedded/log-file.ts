import { copyFile, open, stat, truncate } from 'node:fs/promises'

const LINES_SHOWN = 12
const SIZE_BYTES_MAX = 10 * 1024 * 1024

/** Returns the last lines, for the message of a failed start. */
export async function tailOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return `(there is no ${path})`
  try {
    const { size } = await file.stat()
    const length = Math.min(size, 8_192)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8').trimEnd().split('\n').slice(-LINES_SHOWN).join('\n')
  } finally {
    await file.close()
  }
}

/**
 * Keeps the log and one earlier file. PostgreSQL has the log open in append mode, so it is copied
 * and truncated; lines that are written in between are lost.
 */
export async function boundLog(path: string, bytesMax = SIZE_BYTES_MAX): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size <= bytesMax) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}
