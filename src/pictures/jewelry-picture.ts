import { SHAPES, type Shape } from '../reference/attributes.ts'
import { cutStone } from './facets.ts'
import { tintOf } from './stone-tint.ts'
import { groupOf, svgFrame } from './svg.ts'
import { viewStone } from './view.ts'

/** A piece of the demo catalogue, as its picture is named: `ring-oval-sapphire`. */
export interface Piece {
  kind: (typeof KINDS)[number]
  shape: Shape | undefined
  /** A stone, the metal of a watch, or `plain`. */
  material: string
}

const KINDS = ['ring', 'earrings', 'necklace', 'bracelet', 'pendant', 'watch'] as const
const SIZE = 480
const TURN_SECONDS = 8

export function findPiece(name: string): Piece | undefined {
  const match = /^([a-z]{4,8})-([a-z0-9_]{2,24})-([a-z_]{2,24})$/.exec(name)
  const kind = KINDS.find((each) => each === match?.[1])
  if (!match || !kind) return undefined
  const shape = SHAPES.find((each) => each === match[2])
  return { kind, shape, material: match[3] === 'plain' && !shape ? match[2] : match[3] }
}

/** Draws the piece; a turning one sways a little, animated without a script. */
export function drawPiece(piece: Piece, isTurning: boolean): string {
  const title = `${piece.kind}, ${piece.material.replaceAll('_', ' ')}`
  const sway =
    '<animateTransform attributeName="transform" type="rotate" ' +
    `values="-7 240 240;7 240 240;-7 240 240" dur="${TURN_SECONDS}s" repeatCount="indefinite"/>`
  const content = `<g>${isTurning ? sway : ''}${DRAWINGS[piece.kind](piece)}</g>`
  return svgFrame({ width: SIZE, height: SIZE }, title, content)
}

const DRAWINGS: Record<Piece['kind'], (piece: Piece) => string> = {
  ring: (piece) => `${band(240, 300, 128, 132)}${stone(piece, 240, 150, 130)}`,
  earrings: (piece) =>
    [150, 330].map((x) => `${hook(x, 130)}${stone(piece, x, 250, 130)}`).join(''),
  necklace: (piece) =>
    `${wire('M70 60C90 300 390 300 410 60')}${wire('M240 240V262')}${stone(piece, 240, 330, 120)}`,
  bracelet: (piece) =>
    `${band(240, 240, 170, 110)}${[-110, -60, 0, 60, 110]
      .map((x) => stone(piece, 240 + x, 348 - (x * x) / 300, 62))
      .join('')}`,
  pendant: (piece) =>
    `${wire('M180 40L240 130L300 40')}${hook(240, 130)}${stone(piece, 240, 260, 190)}`,
  watch: drawWatch,
}

const GOLD = '#c9a44c'
const SILVER = '#a9b1bd'

function band(cx: number, cy: number, rx: number, ry: number): string {
  const ellipse = `cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="none"`
  return (
    `<ellipse ${ellipse} stroke="#8d6f2a" stroke-width="19"/>` +
    `<ellipse ${ellipse} stroke="${GOLD}" stroke-width="14"/>` +
    `<ellipse ${ellipse} stroke="#f3dfa4" stroke-width="4"/>`
  )
}

function wire(d: string): string {
  return `<path d="${d}" fill="none" stroke="${GOLD}" stroke-width="6" stroke-linecap="round"/>`
}

function hook(x: number, y: number): string {
  const ring = `cx="${x}" cy="${y + 24}" r="14" fill="none"`
  return `<circle ${ring} stroke="${GOLD}" stroke-width="6"/>`
}

/** The stone in its setting; a plain piece has a polished plate instead. */
function stone({ shape, material }: Piece, cx: number, cy: number, size: number): string {
  if (material === 'plain') {
    const plate = `cx="${cx}" cy="${cy}" r="${size / 5}"`
    return `<circle ${plate} fill="${GOLD}" stroke="#8d6f2a" stroke-width="2"/>`
  }
  const view = { size, turn: 0, tilt: 0, tint: tintOf(STONE_COLORS.get(material) ?? 'colorless') }
  const scene = viewStone(cutStone(shape ?? 'round'), view)
  return `<g transform="translate(${cx - size / 2} ${cy - size / 2})">${groupOf(scene)}</g>`
}

const STONE_COLORS = new Map<string, string>([
  ['sapphire', 'blue'],
  ['ruby', 'red'],
  ['emerald', 'green'],
  ['pearl', 'white'],
  ['aquamarine', 'aqua'],
  ['morganite', 'peach'],
  ['amethyst', 'purple'],
  ['tanzanite', 'violet'],
  ['topaz', 'aqua'],
  ['garnet', 'red'],
  ['opal', 'white'],
  ['citrine', 'yellow'],
  ['peridot', 'green'],
])

function drawWatch({ material }: Piece): string {
  const metal = /gold|bronze/.test(material) ? GOLD : SILVER
  const ticks = Array.from({ length: 12 }, (_, hour) => {
    const turn = `rotate(${hour * 30} 240 240)`
    return `<path d="M240 152V170" stroke="#38445c" stroke-width="5" transform="${turn}"/>`
  })
  return (
    '<rect x="190" y="20" width="100" height="440" rx="26" fill="#5b4a3a"/>' +
    `<circle cx="240" cy="240" r="118" fill="${metal}"/>` +
    '<circle cx="240" cy="240" r="102" fill="#fbfaf6" stroke="#6d7686" stroke-width="2"/>' +
    `${ticks.join('')}<path d="M240 240V178M240 240L288 262" stroke="#1d2638" ` +
    `stroke-width="7" stroke-linecap="round"/><circle cx="240" cy="240" r="7" fill="#1d2638"/>` +
    `<rect x="356" y="230" width="18" height="20" rx="4" fill="${metal}"/>`
  )
}
