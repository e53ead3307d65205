/** A picture that a PDF can contain, as its first bytes describe it. */
interface Picture {
  type: 'png' | 'jpeg'
  width: number
  height: number
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Returns undefined unless the bytes are a PNG or JPEG file. */
export function readPicture(bytes: Buffer): Picture | undefined {
  if (bytes.subarray(0, 8).equals(PNG)) return readPng(bytes)
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 ? readJpeg(bytes) : undefined
}

function readPng(bytes: Buffer): Picture | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Markers of a frame header: baseline, extended and progressive. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])

/** A JPEG is a list of segments, each with its length; one of them has the size. */
function readJpeg(bytes: Buffer): Picture | undefined {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    if (FRAMES.has(bytes[at + 1])) {
      return { type: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
