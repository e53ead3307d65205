/** A picture for svg.ts and raster.ts: polygons in pixels, painted in order. */
export interface Scene {
  width: number
  height: number
  polygons: Polygon[]
}

export interface Polygon {
  points: [x: number, y: number][]
  fill?: Paint
  /** Drawn over the fill. */
  stroke?: Paint & { width: number }
}

export interface Paint {
  /** Red, green, blue from 0 to 255. */
  color: [number, number, number]
  opacity: number
}
