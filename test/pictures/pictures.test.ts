import { crc32, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDemoMarket } from '../../src/demo/market.ts'
import { createDrawings } from '../../src/http/pictures/drawings.ts'
import { drawBottom, drawFrame, drawTop, drawTurning } from '../../src/pictures/demo-pictures.ts'
import { cutStone } from '../../src/pictures/facets.ts'
import { drawPiece, findPiece } from '../../src/pictures/jewelry-picture.ts'
import { drawLines } from '../../src/pictures/line-drawing.ts'
import { pngOf } from '../../src/pictures/png.ts'
import { profileOf } from '../../src/pictures/profile.ts'
import { rasterOf } from '../../src/pictures/raster.ts'
import { SHAPES } from '../../src/reference/attributes.ts'
import { openTestMarket } from '../support/market.ts'

const shapes = fc.constantFrom(...SHAPES)
const ratios = fc.double({ min: 0.9, max: 3, noNaN: true })

describe('the drawing of a shape', () => {
  it('stays within its frame at every ratio', () => {
    fc.assert(
      fc.property(shapes, ratios, (shape, ratio) => {
        const points = drawLines(shape, 100, ratio).polygons.flatMap(({ points }) => points)
        expect(points.length).toBeGreaterThan(20)
        for (const value of points.flat()) {
          expect(value).toBeGreaterThan(3)
          expect(value).toBeLessThan(97)
        }
      }),
    )
  })

  it('cuts a closed stone: every edge belongs to two facets', () => {
    for (const shape of ['round', 'emerald', 'oval', 'princess', 'hexagon'] as const) {
      const edges = new Map<string, number>()
      const name = (point: number[]) => point.map((value) => value.toFixed(3)).join(' ')
      for (const { points } of cutStone(shape)) {
        const distinct = points.filter(
          (point, index) => name(point) !== name(points[(index + 1) % points.length]),
        )
        for (const [index, a] of distinct.entries()) {
          const b = distinct[(index + 1) % distinct.length]
          const key = [name(a), name(b)].sort().join(' - ')
          edges.set(key, (edges.get(key) ?? 0) + 1)
        }
      }
      const crown = [...edges].filter(([key, count]) => count !== 2 && !key.includes('0.015'))
      expect(crown, shape).toEqual([])
    }
  })

  it('differs for each of the 23 shapes', () => {
    const drawn = SHAPES.map((shape) => JSON.stringify(drawLines(shape, 100).polygons))
    expect(new Set(drawn).size).toBeGreaterThanOrEqual(SHAPES.length - 1)
  })
})

describe('the rasteriser', () => {
  it('covers exactly the area of a rectangle at any position', () => {
    const side = fc.double({ min: 1, max: 15, noNaN: true })
    fc.assert(
      fc.property(side, side, side, side, (x, y, width, height) => {
        const points: [number, number][] = [
          [x, y],
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
        ]
        const fill = { color: [0, 0, 0] as [number, number, number], opacity: 1 }
        const pixels = rasterOf({ width: 32, height: 32, polygons: [{ points, fill }] })
        let covered = 0
        for (let at = 3; at < pixels.length; at += 4) covered += pixels[at] / 255
        // Four rows are sampled per pixel, so the height is exact to a quarter of a pixel at each end.
        expect(Math.abs(covered - width * height)).toBeLessThan(width * 0.25 + 1)
      }),
    )
  })
})

describe('the PNG encoder', () => {
  it('writes chunks with correct checksums and every pixel', () => {
    const rgba = Uint8Array.from({ length: 5 * 3 * 4 }, (_, index) => (index * 37) % 256)
    const file = pngOf(rgba, 5, 3)
    expect(file.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
    const chunks: Record<string, Buffer> = {}
    for (let at = 8; at < file.length; ) {
      const length = file.readUInt32BE(at)
      const body = file.subarray(at + 4, at + 8 + length)
      expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body))
      chunks[body.toString('latin1', 0, 4)] = body.subarray(4)
      at += 12 + length
    }
    expect(Object.keys(chunks)).toEqual(['IHDR', 'IDAT', 'IEND'])
    const rows = inflateSync(chunks.IDAT)
    const pixels = Array.from({ length: 3 }, (_, row) => rows.subarray(row * 21 + 1, row * 21 + 21))
    expect(Buffer.concat(pixels)).toEqual(Buffer.from(rgba))
  })
})

describe('the pictures of the demo market', () => {
  it('are well formed for every shape, and differ by side and frame', () => {
    for (const shape of SHAPES) {
      const picture = { shape, ratio: 1.3, color: 'F' }
      const views = [
        drawTop(picture),
        drawBottom(picture),
        drawFrame(picture, 3, 36),
        drawFrame(picture, 9, 36),
      ]
      expect(new Set(views).size, shape).toBe(views.length)
      for (const view of [...views, drawTurning(picture)]) {
        expect(view).toMatch(/^<svg [^>]+>.*<\/svg>\n$/s)
        expect(view).not.toMatch(/NaN|Infinity|<script|onload/)
      }
    }
  })

  it('show pieces of jewelry by name, and nothing for an unknown name', () => {
    for (const name of ['ring-oval-sapphire', 'earrings-round-plain', 'watch-steel-plain']) {
      const piece = findPiece(name)
      expect(piece, name).toBeDefined()
      expect(drawPiece(piece!, true)).toMatch(/^<svg .*<animateTransform.*<\/svg>\n$/s)
    }
    expect(findPiece('../../etc-passwd-x')).toBeUndefined()
    expect(findPiece('tiara-oval-ruby')).toBeUndefined()
  })
})

describe('the profile of a stone', () => {
  it('is as deep as measured, and computes the angles that were not measured', () => {
    const unknown = { crown_angle: null, pavilion_angle: null, pavilion_depth: null }
    const profile = profileOf({ table_percentage: 57, depth_percentage: 61.5, ...unknown })
    const { crownHeight, girdleHeight, pavilionDepth } = profile
    expect(crownHeight + girdleHeight + pavilionDepth).toBeCloseTo(0.615, 6)
    expect(profile.crownAngle).toBeCloseTo(34.5, 1)
    expect(profile.pavilionAngle).toBeGreaterThan(30)
  })
})

describe('pictures over HTTP', () => {
  it('are served as immutable for all shapes, and for every link of the demo market', async () => {
    const market = await openTestMarket()
    const publicUrl = 'http://pavilion.test'
    const options = { realm: 'live' as const, stones: 60, seed: 3, publicUrl }
    await createDemoMarket(market.database, options)
    for (const shape of SHAPES) {
      for (const [form, type] of [
        ['svg', 'image/svg+xml'],
        ['png', 'image/png'],
      ]) {
        const response = await market.app.inject(`/shapes/${shape}.${form}`)
        expect([response.statusCode, response.headers['content-type']]).toEqual([200, type])
        expect(response.headers['cache-control']).toContain('immutable')
      }
    }
    const gems = await market.database.db.selectFrom('gem').selectAll().execute()
    const links = gems.flatMap((gem) => [
      gem.image_top_url,
      gem.image_bottom_url,
      gem.video_url,
      gem.ux_url,
      gem.cert_url,
      gem.v360_json_base_url && `${gem.v360_json_base_url}35.svg`,
    ])
    const paths = [
      ...new Set(links.flatMap((link) => (link ? [link.slice(publicUrl.length)] : []))),
    ]
    for (const kind of ['top', 'bottom', 'turn', 'view', 'frames', 'certificates']) {
      const some = paths.filter((path) => path.startsWith(`/media/demo/${kind}/`)).slice(0, 6)
      expect(some.length, kind).toBeGreaterThan(3)
      for (const path of some) expect((await market.app.inject(path)).statusCode, path).toBe(200)
    }
    for (const path of [
      '/shapes/blob.svg',
      '/shapes/round.gif',
      '/media/demo/top/blob-100-D.svg',
      '/media/demo/frames/oval-142-F/36.svg',
      '/media/demo/certificates/0000000000.svg',
    ]) {
      expect((await market.app.inject(path)).statusCode, path).toBe(404)
    }
    await market.close()
  })

  it('of the demo market do not exist where it was not loaded; shapes do', async () => {
    const market = await openTestMarket()
    for (const path of [
      'top/oval-142-F.svg',
      'turn/oval-142-F.svg',
      'frames/oval-142-F/0.svg',
      'view/oval-142-F.html',
      'viewer.js',
      'jewelry/ring-oval-sapphire.svg',
      'jewelry/turn/ring-oval-sapphire.svg',
      'certificates/2201234567.svg',
    ]) {
      const { status, body } = await market.call('GET', `/media/demo/${path}`)
      expect([status, body.code], path).toEqual([404, 'not_found'])
    }
    expect((await market.app.inject('/shapes/oval.svg')).statusCode).toBe(200)
    await market.close()
  })

  it('have an ETag, which spares a caller with the same picture the bytes', async () => {
    const market = await openTestMarket()
    const first = await market.app.inject('/shapes/oval.png')
    const headers = { 'if-none-match': String(first.headers.etag) }
    const again = await market.app.inject({ url: '/shapes/oval.png', headers })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers['cache-control']).toContain('immutable')
    await market.close()
  })
})

describe('drawings', () => {
  const drawingOf = (kind: 'top' | 'turn', at: number) => {
    const picture = { shape: 'oval' as const, ratio: 1 + at / 100, color: 'F' }
    return [`${kind} ${at}`, { kind, picture }] as const
  }

  it('are drawn once and kept, as many as fit into a number of bytes', async () => {
    const bytesMax = 2 * 1024 * 1024
    const drawings = createDrawings(bytesMax)
    const [one, same] = await Promise.all([1, 2].map(() => drawings.get(...drawingOf('top', 0))))
    expect(one).toBe(same)
    expect(await drawings.get(...drawingOf('top', 0))).toBe(one)
    let bytes = 0
    for (let at = 0; bytes < bytesMax; at++) {
      bytes += (await drawings.get(...drawingOf('turn', at))).bytes.length
    }
    expect(await drawings.get(...drawingOf('top', 0))).not.toBe(one)
    await drawings.close()
  })

  it('are refused when too many wait, and are drawn again afterwards', async () => {
    const drawings = createDrawings()
    const asked = Array.from({ length: 230 }, (_, at) => drawings.get(...drawingOf('top', at)))
    const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(30)
    expect((await drawings.get(...drawingOf('top', 229))).bytes.length).toBeGreaterThan(1000)
    await drawings.close()
  })
})
